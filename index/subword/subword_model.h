#pragma once

// The third step of a subword tokenizer: a piece becomes tokens.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "index/subword/json_fields.h"
#include "index/subword/subword_vocabulary.h"
#include "index/subword/tokenizer_file.h"
#include "storage/base/result.h"

namespace recall {

// Immutable: safe to use from several threads.
class SubwordModel {
 public:
  virtual ~SubwordModel() = default;
  // Appends the tokens of `piece`. Text without a token becomes the unknown token, if the model has
  // one.
  virtual void Append(std::string_view piece, std::vector<uint32_t>* ids) const = 0;

  const SubwordVocabulary& vocabulary() const { return vocabulary_; }
  std::optional<uint32_t> unknown_id() const { return unknown_id_; }

 protected:
  void AppendUnknown(std::vector<uint32_t>* ids) const {
    if (unknown_id_) ids->push_back(*unknown_id_);
  }

  SubwordVocabulary vocabulary_;
  std::optional<uint32_t> unknown_id_;
};

using SubwordModelResult = Result<std::unique_ptr<SubwordModel>>;

// Makes the model of the field "model" of a tokenizer.json: `tokens` are its vocabulary and merges,
// `part` has the other fields. Errors: Corruption; Unsupported for an unknown type.
SubwordModelResult MakeSubwordModel(const Json& part, ModelTokens tokens);

// The kinds of models. Requires: `part` is an object. Errors: Corruption; Unsupported.
SubwordModelResult MakeWordPieceModel(const Json& part, ModelTokens tokens);
SubwordModelResult MakeWordLevelModel(const Json& part, ModelTokens tokens);
SubwordModelResult MakeBpeModel(const Json& part, ModelTokens tokens);
SubwordModelResult MakeUnigramModel(const Json& part, ModelTokens tokens);

// The number of the token that "unk_token" names, if it is in the vocabulary.
Result<std::optional<uint32_t>> ReadUnknownToken(const Json& part,
                                                 const SubwordVocabulary& vocabulary);

// The tokens "<0x00>" to "<0xFF>", which encode bytes that have no other token.
class ByteTokens final {
 public:
  explicit ByteTokens(const SubwordVocabulary& vocabulary);
  // Appends a token for each byte. If one of them is missing, appends nothing and returns false.
  bool Append(std::string_view bytes, std::vector<uint32_t>* ids) const;

 private:
  std::vector<std::optional<uint32_t>> ids_;
};

}  // namespace recall
