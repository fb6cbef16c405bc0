#pragma once

// The third step of a subword tokenizer: a piece becomes tokens.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "index/subword/json_fields.h"
#include "index/subword/subword_vocabulary.h"
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

// From the "model" of a tokenizer.json. Errors: Corruption; Unsupported for an unknown type.
Result<std::unique_ptr<SubwordModel>> MakeSubwordModel(const Json& part);

// Each kind; `part` is an object. Errors: Corruption; Unsupported.
Result<std::unique_ptr<SubwordModel>> MakeWordPieceModel(const Json& part);
Result<std::unique_ptr<SubwordModel>> MakeWordLevelModel(const Json& part);
Result<std::unique_ptr<SubwordModel>> MakeBpeModel(const Json& part);
Result<std::unique_ptr<SubwordModel>> MakeUnigramModel(const Json& part);

// "vocab" as an object of tokens and their numbers. Errors: Corruption.
Status ReadVocabulary(const Json& part, SubwordVocabulary* vocabulary);
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
