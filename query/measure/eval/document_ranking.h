#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "query/measure/eval/scratch_store.h"

namespace recall {

// Indexes documents in a temporary store and ranks them. Documents are identified by number. Not
// thread-safe.
class DocumentRanking final {
 public:
  // Indexes `documents` as plain text. Documents that `add` skips do not appear in any ranking.
  static Result<DocumentRanking> Index(const std::vector<std::string>& documents,
                                       const CreateOptions& settings,
                                       const EvalProgressFn& progress,
                                       const std::atomic<bool>& cancel);

  // Returns: the best `count` documents for `search`, each at the rank of its best chunk; fewer if
  // the ranking is shorter. `k` and `offset` of `search` are ignored. Errors: those of
  // Database::Search.
  Result<std::vector<uint32_t>> Rank(SearchRequest search, size_t count);

  int64_t skipped() const { return skipped_; }
  Database& database() { return store_->database(); }

 private:
  std::unique_ptr<ScratchStore> store_;
  std::unordered_map<std::string, uint32_t> numbers_;  // document numbers by path
  int64_t skipped_ = 0;
};

}  // namespace recall
