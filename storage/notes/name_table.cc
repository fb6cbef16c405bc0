#include "storage/notes/name_table.h"

#include "storage/sqlite/connection.h"
#include "storage/sqlite/user_version.h"

namespace recall {
namespace {

Status RunWithName(Connection& connection, const char* sql, int64_t name) {
  RECALL_ASSIGN(Statement * statement, connection.Cached(sql));
  statement->BindInt(1, name);
  return statement->Run();
}

}  // namespace

Result<bool> HasNoteTables(Connection& connection) {
  constexpr int64_t kFirstFormatOfNotes = 13;
  return FormatIsAtLeast(connection, kFirstFormatOfNotes);
}

Result<std::optional<int64_t>> FindName(Connection& connection, std::string_view path) {
  RECALL_ASSIGN(Statement * cached, connection.Cached("SELECT id FROM name WHERE path = ?1"));
  const StatementScope select(cached);
  select->BindText(1, path);
  RECALL_ASSIGN(const bool row, select->Step());
  if (!row) return std::nullopt;
  return select->ColumnInt(0);
}

Result<std::string> PathOfName(Connection& connection, int64_t name) {
  RECALL_ASSIGN(Statement * cached, connection.Cached("SELECT path FROM name WHERE id = ?1"));
  const StatementScope select(cached);
  select->BindInt(1, name);
  RECALL_ASSIGN(const bool row, select->Step());
  if (row) return std::string(select->ColumnText(0));
  return Fail(Status::Corruption(connection.path() + ": a link, use or review refers to the name " +
                                     std::to_string(name) + ", which does not exist",
                                 "run `recall doctor`"));
}

Result<int64_t> FindOrInsertName(Connection& connection, std::string_view path) {
  RECALL_ASSIGN(const auto found, FindName(connection, path));
  if (found) return *found;
  RECALL_ASSIGN(Statement * insert, connection.Cached("INSERT INTO name(path) VALUES(?1)"));
  insert->BindText(1, path);
  RECALL_TRY(insert->Run());
  return connection.LastInsertRowId();
}

Status ForgetName(Connection& connection, std::string_view path) {
  RECALL_ASSIGN(const auto name, FindName(connection, path));
  if (!name) return Status::Ok();
  for (const char* sql :
       {"DELETE FROM use_log WHERE name = ?1", "DELETE FROM review_log WHERE name = ?1",
        "DELETE FROM activity WHERE name = ?1", "DELETE FROM link WHERE source = ?1",
        "DELETE FROM link WHERE target = ?1 AND (origin <> 'text' OR removed_seq IS NOT NULL)",
        "DELETE FROM name WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM link WHERE target = ?1)"}) {
    RECALL_TRY(RunWithName(connection, sql, *name));
  }
  return Status::Ok();
}

}  // namespace recall
