#include "storage/sqlite/common_snapshot.h"

#include <algorithm>

namespace recall {
namespace {

// SQLite gives every connection a snapshot of its own, and cannot be asked for that of another
// connection (sqlite3_snapshot_open is not compiled in everywhere). But a connection sees whether
// others have committed: its PRAGMA data_version changes then (https://sqlite.org/pragma.html).
//
//   others   version before                             BEGIN, version after
//   first                    BEGIN, read a page
//
// If the versions of another connection are equal, there was no commit between them. So its
// snapshot is that of `first`, which was taken between them, too.

constexpr int kAttempts = 5;

Result<int64_t> DataVersion(Connection& connection) {
  return connection.QueryInt("PRAGMA data_version");
}

Status BeginReading(Connection& connection) {
  RECALL_TRY(connection.Execute("BEGIN"));
  RECALL_ASSIGN([[maybe_unused]] const int64_t version, connection.QueryInt("PRAGMA user_version"));
  return Status::Ok();
}

bool BeginsAt(Connection& connection, const Result<int64_t>& version) {
  if (!version || !connection.Execute("BEGIN").ok()) return false;
  const Result<int64_t> now = DataVersion(connection);
  return now && *now == *version;
}

void End(Connection& connection) {
  if (connection.InTransaction()) (void)connection.Execute("ROLLBACK");
}

}  // namespace

Status BeginTogether(Connection& first, std::vector<std::unique_ptr<Connection>>* others) {
  for (int attempt = 0; attempt < kAttempts && !others->empty(); ++attempt) {
    std::vector<Result<int64_t>> versions;
    for (const auto& other : *others) versions.push_back(DataVersion(*other));
    RECALL_TRY(BeginReading(first));
    size_t together = 0;
    while (together < others->size() && BeginsAt(*(*others)[together], versions[together])) {
      ++together;
    }
    if (together == others->size()) return Status::Ok();
    for (const auto& other : *others) End(*other);
    End(first);
  }
  others->clear();
  return BeginReading(first);
}

}  // namespace recall
