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
  // Appends the tokens of `piece`; for what has none the unknown token, if the model has one.
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

// From the "model" of a tokenizer.json: its tokens, and the rest of it. Errors: Corruption;
// Unsupported for an unknown type.
SubwordModelResult MakeSubwordModel(const Json& part, ModelTokens tokens);

// Each kind; `part` is an object. Errors: Corruption; Unsupported.
SubwordModelResult MakeWordPieceModel(const Json& part, ModelTokens tokens);
SubwordModelResult MakeWordLevelModel(const Json& part, ModelTokens tokens);
SubwordModelResult MakeBpeModel(const Json& part, ModelTokens tokens);
SubwordModelResult MakeUnigramModel(const Json& part, ModelTokens tokens);

// The number of what "unk_token" names, if it names a token.
Result<std::optional<uint32_t>> ReadUnknownToken(const Json& part,
                                                 const SubwordVocabulary& vocabulary);

// The tokens "<0x00>" to "<0xFF>", which stand for bytes that have no other.
class ByteTokens final {
 public:
  explicit ByteTokens(const SubwordVocabulary& vocabulary);
  // Appends a token for each byte; false, and nothing, when one of them is missing.
  bool Append(std::string_view bytes, std::vector<uint32_t>* ids) const;

 private:
  std::vector<std::optional<uint32_t>> ids_;
};

}  // namespace recall
