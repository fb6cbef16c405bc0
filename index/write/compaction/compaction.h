#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

#include "index/write/compaction/purge.h"
#include "index/write/training/training_progress.h"
#include "storage/base/clock.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

struct CompactionOptions {
  // Every commit that was the newest one at this time or later remains readable.
  UnixNanos keep_since = 0;
  // Train again on the remaining texts and delete the older models, because they contain terms
  // of purged texts. Answers change as with any training. Requires: keep_since keeps no older
  // commit, because older commits need the older models.
  bool forget = false;
  // Guarantee that no byte of purged data is left in the file or its WAL, or fail.
  bool secure = false;
  uint32_t threads = 1;  // for training
};

enum class CompactionStage {
  kVectors,
  kDocuments,
  kLexicon,
  kSegments,
  kModel,
  kDerivedData,  // posting lists and the forward index, if some are missing
  kFile,
};

struct CompactionProgress {
  CompactionStage stage;
  int64_t done = 0;   // kDocuments: removed chunks that are deleted
  int64_t total = 0;  // all of them; 0 of 0 in other stages
  // Set while vectors, posting lists or the forward index are computed.
  std::optional<DerivedDataProgress> derived = {};
};

struct CompactionReport {
  int64_t expired_commits = 0;  // commits that were readable before and are not any more
  int64_t oldest_commit = 0;    // the oldest commit that is still readable
  PurgeReport purged;
  int64_t segments_before = 0;
  int64_t segments_after = 0;
};

// Purges the versions that no kept commit needs, merges the full-text index into one run and
// neighbouring segments into full ones, and rewrites the file without free pages.
//
// Every step is a transaction of its own and leaves a store with the same answers, so compaction
// may be interrupted or killed at any time, and readers and writers work in between. Peak memory is
// that of one segment (17 MB for 256 dimensions) or one batch of documents. The rewrite needs disk
// space for a copy of the store, and for the WAL.
//
// Errors: Busy if another writer never releases the lock (with `secure` also if a reader of an
// older commit keeps the WAL); Cancelled.
class Compaction final {
 public:
  // Called by the calling thread, at the beginning of each step.
  using ProgressFn = std::function<void(const CompactionProgress&)>;

  // All arguments must outlive it. After *cancelled has become true, Run ends after the current
  // step.
  Compaction(Store* store, const std::atomic<bool>* cancelled, ProgressFn progress);

  Result<CompactionReport> Run(const CompactionOptions& options);

 private:
  // Does one step of a stage and returns whether there is more to do.
  using Step = std::function<Result<bool>(WriteTransaction&)>;

  Status Expire(const CompactionOptions& options);
  Status PurgeVectors();
  Status Train(const CompactionOptions& options);
  Status DeleteWords();
  Status RunStage(CompactionStage stage, const Step& step);
  Status CheckCancelled() const;
  void Show(CompactionStage stage) const;
  // What passes the progress of derived data on; nothing if no progress was requested.
  DerivedDataProgressFn ShowDerived(CompactionStage stage) const;
  Status Forget(const CompactionOptions& options);
  Result<int64_t> PresentModel() const;

  Store* store_;
  const std::atomic<bool>* cancelled_;
  ProgressFn progress_;
  CompactionReport report_;
  int64_t chunks_to_purge_ = 0;
};

}  // namespace recall
