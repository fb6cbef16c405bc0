#include "storage/sqlite/user_version.h"

#include "storage/sqlite/connection.h"

namespace recall {

Result<bool> FormatIsAtLeast(Connection& connection, int64_t version) {
  // Cached, because each query calls this several times.
  RECALL_ASSIGN(Statement * cached, connection.Cached("PRAGMA user_version"));
  const StatementScope select(cached);
  RECALL_ASSIGN(const bool row, select->Step());
  return row && select->ColumnInt(0) >= version;
}

}  // namespace recall
