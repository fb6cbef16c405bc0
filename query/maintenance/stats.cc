#include "query/maintenance/stats.h"

#include <sys/stat.h>

#include "index/search/bitmap/tombstones.h"
#include "index/write/training/shared_model.h"
#include "index/write/training/training.h"
#include "storage/postgres/postgres_address.h"
#include "storage/sqlite/connection.h"
#include "storage/store/delta_scan.h"
#include "storage/tables/content_sizes.h"

namespace recall {
namespace {

int64_t WalBytes(const std::string& store_path) {
  struct stat file {};
  return ::stat((store_path + "-wal").c_str(), &file) == 0 ? file.st_size : 0;
}

}  // namespace

Result<std::optional<StoreSizes>> RunSizes(Store& store) {
  RECALL_ASSIGN(const auto transaction, store.BeginRead());
  const int64_t commit = transaction->counts().commit_sequence;
  if (IsPostgresAddress(store.path())) {
    return ReadRecordedSizes(transaction->connection(), commit);
  }
  RECALL_ASSIGN(const StoreSizes sizes, ReadContentSizes(transaction->connection(), commit));
  return sizes;
}

Result<StatsReport> RunStats(const Store& store, const ReadTransaction& transaction,
                             bool tells_file) {
  const StoreSettings& settings = store.settings();
  StatsReport report;
  report.path = store.path();
  report.uuid = store.uuid();
  RECALL_ASSIGN(const SpaceRow* const space, transaction.space());
  report.embedder = space->embedder;
  // An LSA space may have fewer dimensions than the setting, if the texts do not support more.
  report.dim = space->embedder == settings.embedder ? settings.dim : space->dim;
  report.chunk_tokens = settings.chunk_tokens;
  report.overlap_tokens = settings.overlap_tokens;
  report.ann_bits = settings.signature_bits;
  report.ann_seed = settings.signature_seed;
  report.notes_dir = settings.notes_dir;
  RECALL_ASSIGN(report.schema_version, transaction.connection().QueryInt("PRAGMA user_version"));
  report.tells_file = tells_file;
  if (!tells_file) return report;
  RECALL_ASSIGN(report.model_due, IsModelDue(transaction));
  RECALL_ASSIGN(report.shared_model, HasSharedModel(transaction.connection(), *space));
  RECALL_ASSIGN(const Bitmap tombstones, ReadTombstones(transaction));
  RECALL_ASSIGN(const auto segments, transaction.Segments());
  RECALL_ASSIGN(report.removed_docs, transaction.connection().QueryInt(
                                         "SELECT count(*) FROM doc WHERE removed_seq IS NOT NULL"));
  report.removed_chunks = static_cast<int64_t>(tombstones.Count());
  report.segments = static_cast<int64_t>(segments.size());
  for (const auto& segment : segments) {
    report.segment_vectors += segment->info().vectors;
    report.mapped_segments += segment->mapped() ? 1 : 0;
  }
  RECALL_TRY(ScanDelta(transaction, [&](uint32_t, ByteSpan) -> Status {
    ++report.delta_vectors;
    return Status::Ok();
  }));
  report.wal_bytes = WalBytes(transaction.path());
  return report;
}

}  // namespace recall
