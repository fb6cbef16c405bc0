#include "storage/path_scan.h"

#include <limits>

namespace recall {
namespace {

Status DamagedEntry(const ReadTransaction& transaction, int64_t row) {
  return Status::Corruption(
      transaction.connection().path() + ": row " + std::to_string(row) + " of table doc is damaged",
      "restore the store from a backup, or make a new one");
}

}  // namespace

Status ScanPaths(const ReadTransaction& transaction, bool descending,
                 const std::function<bool(const PathEntry&)>& visit) {
  constexpr const char* kAscending =
      "SELECT path, id, first_chunk, chunk_count FROM doc WHERE removed_seq IS NULL ORDER BY path";
  constexpr const char* kDescending =
      "SELECT path, id, first_chunk, chunk_count FROM doc WHERE removed_seq IS NULL "
      "ORDER BY path DESC";
  RECALL_ASSIGN(Statement * cached,
                transaction.connection().Cached(descending ? kDescending : kAscending));
  const StatementScope select(cached);
  constexpr int64_t kRows = int64_t{1} << 32;
  for (;;) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) return Status::Ok();
    const int64_t first = select->ColumnInt(2);
    const int64_t count = select->ColumnInt(3);
    if (first < 0 || first >= kRows || count < 0 || first + count > kRows) {
      return DamagedEntry(transaction, select->ColumnInt(1));
    }
    if (!visit({select->ColumnText(0), select->ColumnInt(1), static_cast<uint32_t>(first),
                static_cast<uint32_t>(count)})) {
      return Status::Ok();
    }
  }
}

}  // namespace recall
