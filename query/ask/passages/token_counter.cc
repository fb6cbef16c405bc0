// Counts tokens, and finds the longest prefix of a text within a number of tokens.
//
// Counting words is linear and exact, so the prefix of n words is found in one pass. With a subword
// vocabulary (BPE, WordPiece or unigram), and in the estimate of one, the encoding of a prefix is
// not a prefix of the encoding: the last word may be divided differently. The prefix is therefore
// encoded again for each candidate:
//
// 1. Double the examined size until it has too many tokens, so that a long text costs no more than
//    about twice the prefix that fits.
// 2. Binary search over the ends of words in this size.
// 3. If not even the first word fits, binary search over the ends of its characters.
//
// The binary search assumes that the count does not decrease with the length. A vocabulary can
// violate this by about a token; the result then still fits, but may not be the longest. Cost:
// O(log n) encodings of at most twice the fitting size.

#include "query/ask/passages/token_counter.h"

#include <algorithm>
#include <utility>

#include "index/base/text/tokenizer.h"
#include "index/base/text/utf8.h"
#include "index/source/chunk/token_scan.h"
#include "index/subword/subword_tokenizer.h"
#include "index/subword/token_estimate.h"
#include "index/subword/token_vocabulary.h"
#include "query/types/context_types.h"
#include "query/types/search_types.h"
#include "storage/base/nearest_word.h"

namespace recall {
namespace {

// The name of a counter that was probably meant; "" if `which` looks like a path.
std::string NearestCounter(const std::string& which) {
  if (which.find_first_of("./") != which.npos) return "";
  return NearestWord(which, {std::string(kEstimateCounter), std::string(kWordsCounter)});
}

}  // namespace

TokenCounter::TokenCounter(Unit unit) : unit_(unit) {}
TokenCounter::TokenCounter(TokenCounter&&) noexcept = default;
TokenCounter& TokenCounter::operator=(TokenCounter&&) noexcept = default;
TokenCounter::~TokenCounter() = default;

Result<TokenCounter> TokenCounter::Open(const std::string& which) {
  if (which == kEstimateCounter) return TokenCounter(Unit::kEstimate);
  if (which == kWordsCounter) return TokenCounter(Unit::kWords);
  auto read = TokenVocabulary::Read(which);
  if (!read) {
    const std::string nearest =
        read.error().code() == StatusCode::kNotFound ? NearestCounter(which) : "";
    return Fail(nearest.empty() ? read.error()
                                : Status::NotFound(std::string(read.error().message()),
                                                   "did you mean " + nearest + "?"));
  }
  TokenCounter counter(Unit::kVocabulary);
  counter.vocabulary_ = std::make_unique<const TokenVocabulary>(*std::move(read));
  counter.encoder_ = std::make_unique<SubwordEncoder>(counter.vocabulary_->tokenizer());
  return counter;
}

int64_t TokenCounter::Count(std::string_view text) {
  if (unit_ == Unit::kEstimate) return EstimateTokens(text);
  if (unit_ == Unit::kWords) return static_cast<int64_t>(CountTokens(text));
  encoder_->Encode(text, &ids_);
  return static_cast<int64_t>(ids_.size());
}

size_t TokenCounter::LastThatFits(std::string_view text, const std::vector<size_t>& ends,
                                  int64_t most) {
  const auto first_too_long = std::ranges::partition_point(
      ends, [&](size_t end) { return Count(text.substr(0, end)) <= most; });
  return first_too_long == ends.begin() ? 0 : *(first_too_long - 1);
}

size_t TokenCounter::PrefixThatFits(std::string_view text, int64_t most) {
  if (counts_words()) return PrefixOfTokens(text, most);
  if (most < 1) return 0;
  size_t limit = std::min<size_t>(text.size(), 64);
  while (limit < text.size() && Count(text.substr(0, FloorToCharacter(text, limit))) <= most) {
    limit = std::min(text.size(), 2 * limit);
  }
  if (limit == text.size() && Count(text) <= most) return text.size();
  std::vector<size_t> ends;
  for (size_t at = SkipWhiteSpace(text, 0); at < limit; at = SkipWhiteSpace(text, at)) {
    at = FindTokenEnd(text, at);
    if (at <= limit) ends.push_back(at);
  }
  if (const size_t words = LastThatFits(text, ends, most); words > 0) return words;
  std::vector<size_t> characters;
  for (size_t at = 0; at < limit;) {
    DecodeUtf8(text, &at);
    characters.push_back(at);
  }
  return LastThatFits(text, characters, most);
}

std::string_view TokenCounter::name() const {
  if (unit_ == Unit::kEstimate) return kEstimateCounter;
  return unit_ == Unit::kWords ? std::string_view("whitespace") : vocabulary_->kind();
}

std::string_view TokenCounter::vocabulary_hash() const {
  return vocabulary_ ? vocabulary_->hash() : std::string_view();
}

size_t PrefixOfTokens(std::string_view text, int64_t count) {
  size_t position = 0;
  bool in_token = false;
  int64_t tokens = 0;
  while (position < text.size()) {
    const size_t begin = position;
    const bool space = IsWhiteSpace(DecodeUtf8(text, &position));
    if (in_token && space && tokens == count) return begin;
    if (!space && !in_token && ++tokens > count) return begin;
    in_token = !space;
  }
  return text.size();
}

}  // namespace recall
