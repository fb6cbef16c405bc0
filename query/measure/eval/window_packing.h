#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "query/measure/eval/document_ranking.h"
#include "query/measure/eval/span_judging.h"
#include "query/measure/eval/span_set.h"

namespace recall {

// What contexts are compared with: every document cut into windows of 256 tokens, one after the
// other, whatever its structure; ranked by the same search; packed by rank, the last one cut.
class WindowPacking final {
 public:
  static constexpr uint64_t kWindowTokens = 256;

  // `set` must outlive it.
  static Result<WindowPacking> Index(const SpanSet& set, const CreateOptions& settings,
                                     const EvalProgressFn& progress,
                                     const std::atomic<bool>& cancel);

  // For each budget the tokens that are packed.
  Result<std::vector<TokenSet>> Pack(const SearchRequest& search,
                                     const std::vector<int64_t>& budgets);

  int64_t windows() const { return static_cast<int64_t>(windows_.size()); }

 private:
  struct Window {
    uint32_t document = 0;
    DocumentTokens::Range tokens;
  };

  WindowPacking(std::vector<Window> windows, DocumentRanking ranking)
      : windows_(std::move(windows)), ranking_(std::move(ranking)) {}

  std::vector<Window> windows_;
  DocumentRanking ranking_;  // of the windows, each as a document
};

}  // namespace recall
