#include "storage/store/delta_scan.h"

#include <string>

#include "storage/sqlite/connection.h"

namespace recall {
Status ScanDelta(const ReadTransaction& transaction, const DeltaVisitor& visit) {
  RECALL_ASSIGN(const SpaceRow* const space, transaction.space());
  RECALL_ASSIGN(
      Statement * cached,
      transaction.connection().Cached(
          space->id == 0 ? "SELECT chunk, data FROM vec_tail ORDER BY chunk"
                         : "SELECT chunk, data FROM vec_tail WHERE space = ?1 ORDER BY chunk"));
  const StatementScope select(cached);
  if (space->id != 0) select->BindInt(1, space->id);
  for (;;) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) return Status::Ok();
    const int64_t chunk = select->ColumnInt(0);
    if (chunk < 0 || chunk > kMaxChunkRow) {
      return Status::Corruption(transaction.connection().path() +
                                ": vec_tail contains the invalid chunk rowid " +
                                std::to_string(chunk));
    }
    RECALL_TRY(visit(static_cast<uint32_t>(chunk), select->ColumnBlob(1)));
  }
}

}  // namespace recall
