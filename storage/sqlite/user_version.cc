#include "storage/sqlite/user_version.h"

#include "storage/sqlite/connection.h"

namespace recall {

Result<bool> FormatIsAtLeast(Connection& connection, int64_t version) {
  RECALL_ASSIGN(const int64_t found, connection.QueryInt("PRAGMA user_version"));
  return found >= version;
}

}  // namespace recall
