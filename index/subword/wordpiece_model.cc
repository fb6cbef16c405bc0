#include <algorithm>

#include "index/subword/subword_model.h"

namespace recall {
namespace {

// WordPiece (Schuster and Nakajima, 2012), as BERT uses it: greedy longest-match-first segmentation
// of a word. Tokens that continue a word have the prefix "##":
//
//   "unhappiest" -> un | ##happi | ##est
//   "xyz"        -> [UNK], if any position cannot be matched
//
// The vocabulary is a hash table with a filter of token prefixes (subword_vocabulary.h), which
// finds the longest token at a position in one pass over its bytes. Continuing tokens are in a
// second table without their prefix, so that a look-up needs no copy of the text.
//
// Greedy matching can fail where another segmentation exists; BERT then takes the word as unknown,
// and so does this model. A word of more than max_input_chars_per_word characters is unknown, too.
//
// Cost: O(n * longest token) per word in the worst case; usually one look-up per token.
//
// WordLevel, the second model of this file, takes a piece as one token or as unknown.

// BERT's algorithm: the longest token at the beginning of the word, then repeatedly the longest
// continuing token. A word that cannot be cut to its end is unknown as a whole.
class WordPieceModel final : public SubwordModel {
 public:
  static SubwordModelResult Make(const Json& part, ModelTokens tokens) {
    auto model = std::make_unique<WordPieceModel>();
    RECALL_TRY(tokens.TakeVocabulary(ModelTokens::Shape::kNumbers, &model->vocabulary_));
    RECALL_ASSIGN(model->unknown_id_, ReadUnknownToken(part, model->vocabulary_));
    RECALL_ASSIGN(model->max_characters_, ReadCount(part, "max_input_chars_per_word", 100));
    RECALL_ASSIGN(const std::string prefix, ReadText(part, "continuing_subword_prefix", "##"));
    for (size_t i = 0; i < model->vocabulary_.size(); ++i) {
      const std::string_view token = model->vocabulary_.token(i);
      if (!token.starts_with(prefix)) continue;
      model->continuing_.Add(token.substr(prefix.size()), model->vocabulary_.id(i));
    }
    return model;
  }

  void Append(std::string_view piece, std::vector<uint32_t>* ids) const override {
    const auto characters = std::ranges::count_if(piece, [](char c) { return (c & 0xC0) != 0x80; });
    if (static_cast<size_t>(characters) > max_characters_) return AppendUnknown(ids);
    const size_t before = ids->size();
    for (size_t position = 0; position < piece.size();) {
      const SubwordVocabulary& tokens = position == 0 ? vocabulary_ : continuing_;
      size_t size = 0;
      const auto id = tokens.FindLongest(piece.substr(position), &size);
      if (!id) {
        ids->resize(before);
        return AppendUnknown(ids);
      }
      ids->push_back(*id);
      position += size;
    }
  }

 private:
  SubwordVocabulary continuing_;  // without their prefix
  uint32_t max_characters_ = 0;
};

// Each piece is one token, or unknown.
class WordLevelModel final : public SubwordModel {
 public:
  static SubwordModelResult Make(const Json& part, ModelTokens tokens) {
    auto model = std::make_unique<WordLevelModel>();
    RECALL_TRY(tokens.TakeVocabulary(ModelTokens::Shape::kNumbers, &model->vocabulary_));
    RECALL_ASSIGN(model->unknown_id_, ReadUnknownToken(part, model->vocabulary_));
    return model;
  }

  void Append(std::string_view piece, std::vector<uint32_t>* ids) const override {
    if (const auto id = vocabulary_.Find(piece)) return ids->push_back(*id);
    AppendUnknown(ids);
  }
};

}  // namespace

SubwordModelResult MakeWordPieceModel(const Json& part, ModelTokens tokens) {
  return WordPieceModel::Make(part, std::move(tokens));
}

SubwordModelResult MakeWordLevelModel(const Json& part, ModelTokens tokens) {
  return WordLevelModel::Make(part, std::move(tokens));
}

}  // namespace recall
