#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "index/compaction/purge.h"
#include "storage/base/clock.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

struct CompactionOptions {
  // Every state that was the newest one at this time or later can still be read afterwards.
  UnixNanos keep_since = 0;
  // Also learn anew, of what is left, and drop what was learnt before: its models know the words
  // of what was purged. Answers change as with any learning. Requires: keep_since keeps no older
  // state, for those need the older models.
  bool forget = false;
  // Also fail unless no byte of what was purged is left in the file or its WAL.
  bool secure = false;
  uint32_t threads = 1;  // of learning
};

enum class CompactionStage { kVectors, kDocuments, kLexicon, kSegments, kModel, kFile };

struct CompactionReport {
  int64_t expired_commits = 0;  // that could be read before and cannot any more
  int64_t oldest_commit = 0;    // the oldest that still can
  PurgeReport purged;
  int64_t segments_before = 0;
  int64_t segments_after = 0;
};

// Purges what no kept commit needs, merges the lexicon into one run and neighbouring segments into
// full ones, and rewrites the file without free pages.
//
// Every step is a transaction of its own and leaves a store that answers as before, so it may be
// interrupted or killed at any time, and readers and writers work in between. Peak memory is that
// of one segment (17 MB at 256 dimensions) or one batch of documents. The rewrite needs room for a
// copy of the store beside it, and in the WAL.
//
// Errors: Busy when another writer never lets go (with `secure` also when a reader of an older
// commit keeps the WAL); Cancelled.
class Compaction final {
 public:
  using ProgressFn = std::function<void(CompactionStage)>;  // at the beginning of each step

  // All must outlive it. What *cancelled becomes true for ends after the step in progress.
  Compaction(Store* store, const std::atomic<bool>* cancelled, ProgressFn progress);

  Result<CompactionReport> Run(const CompactionOptions& options);

 private:
  // Each of these does one bit of its stage and says whether there is more.
  using Step = std::function<Result<bool>(WriteTransaction&)>;

  Status Expire(const CompactionOptions& options);
  Status PurgeVectors();
  Status Train(const CompactionOptions& options);
  Status RunStage(CompactionStage stage, const Step& step);
  Status CheckCancelled() const;
  Status Forget(const CompactionOptions& options);
  Result<int64_t> PresentModel() const;

  Store* store_;
  const std::atomic<bool>* cancelled_;
  ProgressFn progress_;
  CompactionReport report_;
};

}  // namespace recall
