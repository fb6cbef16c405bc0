#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "query/measure/eval/document_ranking.h"
#include "query/measure/eval/span_judging.h"
#include "query/measure/eval/span_set.h"

namespace recall {

// The baseline for contexts: every document is cut into consecutive windows of 256 tokens,
// regardless of its structure. The windows are ranked by the same search and packed by rank; the
// last one is cut.
class WindowPacking final {
 public:
  static constexpr uint64_t kWindowTokens = 256;

  // `set` must outlive the object.
  static Result<WindowPacking> Index(const SpanSet& set, const CreateOptions& settings,
                                     const EvalProgressFn& progress,
                                     const std::atomic<bool>& cancel);

  // A window: some tokens of a document of the set.
  struct Window {
    uint32_t document = 0;
    DocumentTokens::Range tokens;
  };
  // Returns: the best windows, at most 200.
  Result<std::vector<Window>> Ranked(const SearchRequest& search);

  // Returns: for each budget the packed tokens.
  Result<std::vector<TokenSet>> Pack(const SearchRequest& search,
                                     const std::vector<int64_t>& budgets);

  int64_t windows() const { return static_cast<int64_t>(windows_.size()); }

 private:
  WindowPacking(std::vector<Window> windows, DocumentRanking ranking)
      : windows_(std::move(windows)), ranking_(std::move(ranking)) {}

  std::vector<Window> windows_;
  DocumentRanking ranking_;  // ranks the windows, each indexed as a document
};

}  // namespace recall
