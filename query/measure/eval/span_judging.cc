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
