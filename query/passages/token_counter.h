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

// What a budget counts: words between white space, or the tokens of a vocabulary. One per thread.
class TokenCounter final {
 public:
  // `vocabulary`: the path of its file; empty for words. Errors: those of TokenVocabulary::Read.
  static Result<TokenCounter> Open(const std::string& vocabulary);
  TokenCounter(TokenCounter&&) noexcept;
  TokenCounter& operator=(TokenCounter&&) noexcept;
  ~TokenCounter();

  // The tokens of `text` alone. Of words those of a whole are the sum of those of its parts, if
  // white space parts them. A vocabulary may merge across any border, so its sums are guesses.
  int64_t Count(std::string_view text);
  bool counts_words() const { return vocabulary_ == nullptr; }

  // The bytes of a beginning of `text` that has at most `most` tokens: up to the end of a word,
  // or, if not even the first one fits, of a character. As long as it can be, as far as longer ones
  // have no fewer tokens.
  size_t PrefixThatFits(std::string_view text, int64_t most);

  // As the answer tells it: "whitespace", or the vocabulary's kind; and its hash, "" without.
  std::string_view name() const;
  std::string_view vocabulary_hash() const;

 private:
  TokenCounter();
  // The longest of text[0, ends[i]) that fits; 0: none does.
  size_t LastThatFits(std::string_view text, const std::vector<size_t>& ends, int64_t most);

  std::unique_ptr<const TokenVocabulary> vocabulary_;  // null: words
  std::unique_ptr<SubwordEncoder> encoder_;            // of it
  std::vector<uint32_t> ids_;
};

// The bytes of `text` up to the end of its `count`-th token.
size_t PrefixOfTokens(std::string_view text, int64_t count);

}  // namespace recall
