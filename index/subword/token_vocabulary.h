#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "index/subword/subword_tokenizer.h"
#include "storage/base/result.h"

namespace recall {

// A user's file with the tokens of a language model: a tokenizer.json, or a rank file
// (index/subword/rank_file.h). Immutable: safe to use from several threads.
class TokenVocabulary final {
 public:
  static constexpr size_t kMostBytes = size_t{64} << 20;

  // Errors, all with the path: NotFound; LimitExceeded for more than kMostBytes; InvalidArgument
  // for an invalid vocabulary; Unsupported for one with unknown parts; IoError.
  static Result<TokenVocabulary> Read(const std::string& path);

  const SubwordTokenizer& tokenizer() const { return tokenizer_; }
  // "tokenizer.json", or "ranks/" and the pattern's name.
  const std::string& kind() const { return kind_; }
  // SHA-256 of the file, in hexadecimal digits.
  const std::string& hash() const { return hash_; }

 private:
  TokenVocabulary(SubwordTokenizer tokenizer, std::string kind, std::string hash)
      : tokenizer_(std::move(tokenizer)), kind_(std::move(kind)), hash_(std::move(hash)) {}

  SubwordTokenizer tokenizer_;
  std::string kind_;
  std::string hash_;
};

}  // namespace recall
