#include "index/subword/subword_model.h"

#include <cstdio>
#include <limits>

namespace recall {
namespace {

// A file of before each model named its type.
std::string GuessKind(const Json& part) {
  if (FindField(part, "merges") != nullptr) return "BPE";
  if (part.contains("unk_id")) return "Unigram";
  return FindField(part, "max_input_chars_per_word") != nullptr ? "WordPiece" : "WordLevel";
}

}  // namespace

Result<std::unique_ptr<SubwordModel>> MakeSubwordModel(const Json& part) {
  if (!part.is_object()) return Fail(BadTokenizerField("model"));
  RECALL_ASSIGN(std::string kind, ReadText(part, "type", ""));
  if (kind.empty()) kind = GuessKind(part);
  if (kind == "WordPiece") return MakeWordPieceModel(part);
  if (kind == "WordLevel") return MakeWordLevelModel(part);
  if (kind == "BPE") return MakeBpeModel(part);
  if (kind == "Unigram") return MakeUnigramModel(part);
  return Fail(UnknownTokenizerKind("model", kind));
}

Status ReadVocabulary(const Json& part, SubwordVocabulary* vocabulary) {
  const Json* tokens = FindField(part, "vocab");
  if (tokens == nullptr || !tokens->is_object()) return BadTokenizerField("vocab");
  vocabulary->Reserve(tokens->size(), 8 * tokens->size());
  for (const auto& [token, id] : tokens->items()) {
    if (!id.is_number_unsigned() || id.get<uint64_t>() > std::numeric_limits<int32_t>::max()) {
      return BadTokenizerField("vocab: a token has no number");
    }
    vocabulary->Add(token, id.get<uint32_t>());
  }
  return Status::Ok();
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
