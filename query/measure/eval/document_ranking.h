#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "query/measure/eval/scratch_store.h"

namespace recall {

// Documents, by their numbers, in a store of their own. Not thread-safe.
class DocumentRanking final {
 public:
  // Indexes `documents` as plain text. What `add` skipped is in no ranking.
  static Result<DocumentRanking> Index(const std::vector<std::string>& documents,
                                       const CreateOptions& settings,
                                       const EvalProgressFn& progress,
                                       const std::atomic<bool>& cancel);

  // The best `count` documents for `search`, each where its best chunk stands; fewer at the end of
  // the ranking. `k` and `offset` are chosen here.
  Result<std::vector<uint32_t>> Rank(SearchRequest search, size_t count);

  int64_t skipped() const { return skipped_; }
  Database& database() { return store_->database(); }

 private:
  std::unique_ptr<ScratchStore> store_;
  std::unordered_map<std::string, uint32_t> numbers_;  // of the documents' paths
  int64_t skipped_ = 0;
};

}  // namespace recall
