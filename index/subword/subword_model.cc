#include "index/subword/subword_model.h"

#include <cstdio>
#include <utility>

namespace recall {
namespace {

// Guesses the kind of a model in an old file without "type".
std::string GuessKind(const Json& part, const ModelTokens& tokens) {
  if (tokens.has_merges || FindField(part, "merges") != nullptr) return "BPE";
  if (part.contains("unk_id")) return "Unigram";
  return FindField(part, "max_input_chars_per_word") != nullptr ? "WordPiece" : "WordLevel";
}

}  // namespace

SubwordModelResult MakeSubwordModel(const Json& part, ModelTokens tokens) {
  if (!part.is_object()) return Fail(BadTokenizerField("model"));
  RECALL_ASSIGN(std::string kind, ReadText(part, "type", ""));
  if (kind.empty()) kind = GuessKind(part, tokens);
  if (kind == "WordPiece") return MakeWordPieceModel(part, std::move(tokens));
  if (kind == "WordLevel") return MakeWordLevelModel(part, std::move(tokens));
  if (kind == "BPE") return MakeBpeModel(part, std::move(tokens));
  if (kind == "Unigram") return MakeUnigramModel(part, std::move(tokens));
  return Fail(UnknownTokenizerKind("model", kind));
}

Result<std::optional<uint32_t>> ReadUnknownToken(const Json& part,
                                                 const SubwordVocabulary& vocabulary) {
  RECALL_ASSIGN(const std::string token, ReadText(part, "unk_token", ""));
  if (token.empty()) return std::nullopt;
  return vocabulary.Find(token);
}

ByteTokens::ByteTokens(const SubwordVocabulary& vocabulary) {
  for (int byte = 0; byte < 256; ++byte) {
    char name[8];
    std::snprintf(name, sizeof(name), "<0x%02X>", byte);
    ids_.push_back(vocabulary.Find(name));
  }
}

bool ByteTokens::Append(std::string_view bytes, std::vector<uint32_t>* ids) const {
  for (const char byte : bytes) {
    if (!ids_[static_cast<unsigned char>(byte)]) return false;
  }
  for (const char byte : bytes) ids->push_back(*ids_[static_cast<unsigned char>(byte)]);
  return true;
}

}  // namespace recall
