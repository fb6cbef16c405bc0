#include "storage/sessions/forgotten_table.h"

#include "storage/sessions/captured_table.h"
#include "storage/sqlite/connection.h"

namespace recall {

Result<std::set<std::string>> ReadForgotten(Connection& connection) {
  std::set<std::string> paths;
  RECALL_ASSIGN(const bool has_table, HasSessionTables(connection));
  if (!has_table) return paths;
  RECALL_ASSIGN(Statement select, connection.Prepare("SELECT path FROM forgotten ORDER BY path"));
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return paths;
    paths.emplace_hint(paths.end(), select.ColumnText(0));
  }
}

Status WriteForgotten(Connection& connection, std::string_view path, UnixNanos at) {
  RECALL_ASSIGN(Statement * put,
                connection.Cached("INSERT OR REPLACE INTO forgotten(path, at) VALUES(?1, ?2)"));
  put->BindText(1, path);
  put->BindInt(2, at);
  return put->Run();
}

}  // namespace recall
