// Quality of a context by the spans that answer a question, in tokens (as in Smith and Troynikov,
// 2024, "Evaluating Chunking Strategies for Retrieval"):
//
//   token recall = |packed and spans| / |spans|       is the answer in the context?
//   precision    = |packed and spans| / |packed|      how much of the context is the answer?
//   IoU          = |packed and spans| / |packed or spans|
//
// Tokens are compared as positions (document, index), not as words, so a repeated word elsewhere
// does not count, and text that is packed twice counts once.
//
// A token is one integer, document << 40 | index. A set is a vector that is sorted and deduplicated
// on first use: adding a range appends, and the intersection is one merge. Cost: O(n log n).

#include "query/measure/eval/span_judging.h"

#include <algorithm>
#include <iterator>

namespace recall {
namespace {

constexpr int kIndexBits = 40;

}  // namespace

void TokenSet::Add(uint32_t document, DocumentTokens::Range tokens) {
  for (uint64_t index = tokens.begin; index < tokens.end; ++index) {
    tokens_.push_back(uint64_t{document} << kIndexBits | index);
  }
  sorted_ = false;
}

const std::vector<uint64_t>& TokenSet::Sorted() const {
  if (!sorted_) {
    std::sort(tokens_.begin(), tokens_.end());
    tokens_.erase(std::unique(tokens_.begin(), tokens_.end()), tokens_.end());
    sorted_ = true;
  }
  return tokens_;
}

SpanQuality JudgePacked(const TokenSet& packed, const TokenSet& spans) {
  std::vector<uint64_t> both;
  std::ranges::set_intersection(packed.Sorted(), spans.Sorted(), std::back_inserter(both));
  if (both.empty()) return {};
  const auto count = static_cast<double>(both.size());
  const auto packed_count = static_cast<double>(packed.size());
  const auto span_count = static_cast<double>(spans.size());
  return {count / span_count, count / packed_count, count / (packed_count + span_count - count)};
}

}  // namespace recall
