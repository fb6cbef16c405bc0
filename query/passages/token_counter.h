#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

class SubwordEncoder;
class TokenVocabulary;

// Counts the tokens of a budget: words separated by white space, or the tokens of a vocabulary.
// Not thread-safe: each thread needs its own.
class TokenCounter final {
 public:
  // `vocabulary`: the path of a vocabulary file; empty to count words. Errors: those of
  // TokenVocabulary::Read.
  static Result<TokenCounter> Open(const std::string& vocabulary);
  TokenCounter(TokenCounter&&) noexcept;
  TokenCounter& operator=(TokenCounter&&) noexcept;
  ~TokenCounter();

  // Returns: the number of tokens of `text`. Numbers of words add up over parts of a text that are
  // separated by white space. A vocabulary may merge characters across any boundary, so sums of its
  // numbers are estimates.
  int64_t Count(std::string_view text);
  bool counts_words() const { return vocabulary_ == nullptr; }

  // Returns: the size in bytes of the longest prefix of `text` that has at most `most` tokens and
  // ends at the end of a word, or, if not even the first word fits, of a character. With a
  // vocabulary the prefix always fits, but is the longest only if longer prefixes do not have fewer
  // tokens.
  size_t PrefixThatFits(std::string_view text, int64_t most);

  // The name of the counter as reported in answers, "whitespace" or the kind of the vocabulary; and
  // the SHA-256 of the vocabulary file, "" without one.
  std::string_view name() const;
  std::string_view vocabulary_hash() const;

 private:
  TokenCounter();
  // Returns: the largest of `ends` for which text[0, end) fits; 0 if none does.
  size_t LastThatFits(std::string_view text, const std::vector<size_t>& ends, int64_t most);

  std::unique_ptr<const TokenVocabulary> vocabulary_;  // null: words are counted
  std::unique_ptr<SubwordEncoder> encoder_;            // for the vocabulary
  std::vector<uint32_t> ids_;
};

// Returns: the number of bytes of `text` up to the end of its `count`-th token, or all of them if
// it has fewer.
size_t PrefixOfTokens(std::string_view text, int64_t count);

}  // namespace recall
