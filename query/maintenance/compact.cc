#include "query/maintenance/compact.h"

#include <algorithm>
#include <limits>

#include "index/write/compaction/compaction.h"
#include "query/ask/rows/views.h"
#include "storage/base/thread_start.h"
#include "storage/history/snapshot_token.h"

namespace recall {
namespace {

const char* DoingAt(CompactionStage stage) {
  switch (stage) {
    case CompactionStage::kVectors:
      return "deleting vectors";
    case CompactionStage::kDocuments:
      return "deleting documents";
    case CompactionStage::kLexicon:
      return "merging the full-text index";
    case CompactionStage::kSegments:
      return "merging vector segments";
    case CompactionStage::kModel:
      return "training on the texts";
    case CompactionStage::kDerivedData:
      return "computing posting lists and the forward index";
    case CompactionStage::kFile:
      return "rewriting the file";
  }
  return "";
}

// Returns: the time from which commits are kept readable. With 0 no old state is kept, whatever the
// clock says: the commits of a machine whose clock is ahead may have later times.
UnixNanos KeepSince(int64_t keep_nanos) {
  if (keep_nanos == 0) return std::numeric_limits<UnixNanos>::max();
  const UnixNanos now = WallClockNanos();
  return now - std::min(keep_nanos, now);
}

}  // namespace

Result<CompactReport> RunCompact(Store& store, const std::atomic<bool>& cancelled,
                                 const CompactRequest& request, const CompactProgressFn& progress) {
  CompactReport report;
  {
    RECALL_ASSIGN(const auto transaction, store.BeginRead());
    report.bytes_before = Summarize(*transaction, store).db_size_bytes.value_or(0);
  }
  Compaction compaction(&store, &cancelled, [&](const CompactionProgress& step) {
    if (progress) progress({DoingAt(step.stage), step.done, step.total, step.derived});
  });
  CompactionOptions options;
  options.forget = request.forget || request.secure;
  options.keep_since = KeepSince(options.forget ? 0 : request.keep_nanos);
  options.secure = request.secure;
  options.threads = UsableCpus();
  RECALL_ASSIGN(const CompactionReport done, compaction.Run(options));
  RECALL_ASSIGN(const auto transaction, store.BeginRead());
  report.store = Summarize(*transaction, store);
  report.bytes_after = report.store.db_size_bytes.value_or(0);
  report.expired_snapshots = done.expired_commits;
  report.oldest_snapshot = MakeSnapshotToken(store.uuid(), CommitName{done.oldest_commit});
  report.purged_docs = done.purged.docs;
  report.purged_chunks = done.purged.chunks;
  report.segments_before = done.segments_before;
  report.segments_after = done.segments_after;
  return report;
}

}  // namespace recall
