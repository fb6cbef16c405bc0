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

// Counts the tokens of a budget: an estimate of the tokens of a model, words separated by white
// space, or the tokens of a vocabulary.
// Not thread-safe: each thread needs its own.
class TokenCounter final {
 public:
  // `which`: kEstimateCounter, kWordsCounter, or the path of a vocabulary file. Errors: those of
  // TokenVocabulary::Read.
  static Result<TokenCounter> Open(const std::string& which);
  TokenCounter(TokenCounter&&) noexcept;
  TokenCounter& operator=(TokenCounter&&) noexcept;
  ~TokenCounter();

  // Returns: the number of tokens of `text`. Numbers of words add up over parts of a text that are
  // separated by white space. The number of tokens of a part depends on what surrounds it, so sums
  // of the other counters are only near the number of the whole.
  int64_t Count(std::string_view text);
  bool counts_words() const { return unit_ == Unit::kWords; }

  // Returns: the size in bytes of the longest prefix of `text` that has at most `most` tokens and
  // ends at the end of a word, or, if not even the first word fits, of a character. With a
  // vocabulary the prefix always fits, but is the longest only if longer prefixes do not have fewer
  // tokens; estimates of prefixes that end with a word never decrease.
  size_t PrefixThatFits(std::string_view text, int64_t most);

  // The name of the counter as reported in answers, "estimate", "whitespace" for words, or the kind
  // of the vocabulary; and
  // the SHA-256 of the vocabulary file, "" without one.
  std::string_view name() const;
  std::string_view vocabulary_hash() const;

 private:
  enum class Unit { kEstimate, kWords, kVocabulary };

  explicit TokenCounter(Unit unit);
  // Returns: the largest of `ends` for which text[0, end) fits; 0 if none does.
  size_t LastThatFits(std::string_view text, const std::vector<size_t>& ends, int64_t most);

  Unit unit_;
  std::unique_ptr<const TokenVocabulary> vocabulary_;  // null unless its tokens are counted
  std::unique_ptr<SubwordEncoder> encoder_;            // for the vocabulary
  std::vector<uint32_t> ids_;
};

// Returns: the number of bytes of `text` up to the end of its `count`-th token, or all of them if
// it has fewer.
size_t PrefixOfTokens(std::string_view text, int64_t count);

}  // namespace recall
