#include "storage/tables/space_table.h"

#include <limits>

#include "storage/sqlite/connection.h"
#include "storage/sqlite/user_version.h"

namespace recall {
namespace {

constexpr int64_t kMaxSpaceDim = 1 << 16;

Status DamagedSpace(const Connection& connection, int64_t id) {
  return Status::Corruption(
      connection.path() + ": row " + std::to_string(id) + " of table space is damaged",
      "run `recall doctor --fix`");
}

// Columns: id, embedder, version, dim, model, since.
Result<SpaceRow> ReadRow(Connection& connection, Statement& select) {
  SpaceRow row;
  row.id = select.ColumnInt(0);
  row.embedder = select.ColumnText(1);
  row.version = select.ColumnText(2);
  const int64_t dim = select.ColumnInt(3);
  row.model = select.ColumnInt(4);  // 0 if it is NULL
  if (!select.ColumnIsNull(5)) row.since = select.ColumnInt(5);
  if (row.id < 1 || dim < 0 || dim > kMaxSpaceDim) return Fail(DamagedSpace(connection, row.id));
  row.dim = static_cast<uint32_t>(dim);
  return row;
}

}  // namespace

Result<bool> HasSpaces(Connection& connection) {
  return FormatIsAtLeast(connection, kFirstFormatWithSpaces);
}

Result<std::optional<SpaceRow>> FindSpaceAt(Connection& connection, int64_t sequence) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT id, embedder, version, dim, model, since FROM space "
                                  "WHERE since <= ?1 ORDER BY since DESC, id DESC LIMIT 1"));
  const StatementScope select(cached);
  select->BindInt(1, sequence);
  RECALL_ASSIGN(const bool found, select->Step());
  if (!found) return std::nullopt;
  RECALL_ASSIGN(SpaceRow row, ReadRow(connection, *cached));
  return std::optional(std::move(row));
}

Result<std::vector<SpaceRow>> ListSpaces(Connection& connection) {
  std::vector<SpaceRow> rows;
  RECALL_ASSIGN(const bool known, HasSpaces(connection));
  if (!known) return rows;
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT id, embedder, version, dim, model, since FROM space "
                                  "ORDER BY id"));
  const StatementScope select(cached);
  for (;;) {
    RECALL_ASSIGN(const bool found, select->Step());
    if (!found) return rows;
    RECALL_ASSIGN(SpaceRow row, ReadRow(connection, *cached));
    rows.push_back(std::move(row));
  }
}

Result<int64_t> InsertSpace(Connection& connection, const SpaceRow& row) {
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT INTO space(embedder, version, dim, model, since) "
                                  "VALUES(?1, ?2, ?3, nullif(?4, 0), ?5)"));
  insert->BindText(1, row.embedder);
  insert->BindText(2, row.version);
  insert->BindInt(3, row.dim);
  insert->BindInt(4, row.model);
  if (row.since) {
    insert->BindInt(5, *row.since);
  } else {
    insert->BindNull(5);
  }
  RECALL_TRY(insert->Run());
  return connection.LastInsertRowId();
}

Status ActivateSpace(Connection& connection, int64_t id, int64_t model, int64_t sequence) {
  RECALL_ASSIGN(
      Statement * update,
      connection.Cached("UPDATE space SET since = ?2, model = nullif(?3, 0) WHERE id = ?1"));
  update->BindInt(1, id);
  update->BindInt(2, sequence);
  update->BindInt(3, model);
  return update->Run();
}

Status ClearSpaceModel(Connection& connection, int64_t id) {
  RECALL_ASSIGN(Statement * update,
                connection.Cached("UPDATE space SET model = NULL WHERE id = ?1"));
  update->BindInt(1, id);
  return update->Run();
}

Status DeleteSpace(Connection& connection, int64_t id) {
  for (const char* sql :
       {"DELETE FROM vec_data WHERE id IN (SELECT id FROM vec_segment WHERE space = ?1)",
        "DELETE FROM vec_segment WHERE space = ?1", "DELETE FROM vec_tail WHERE space = ?1",
        "DELETE FROM space WHERE id = ?1"}) {
    RECALL_ASSIGN(Statement * remove, connection.Cached(sql));
    remove->BindInt(1, id);
    RECALL_TRY(remove->Run());
  }
  return Status::Ok();
}

Result<int64_t> DeleteUnfinishedSpaces(Connection& connection, std::string_view embedder) {
  RECALL_ASSIGN(const std::vector<SpaceRow> rows, ListSpaces(connection));
  int64_t deleted = 0;
  for (const SpaceRow& row : rows) {
    if (row.since || (!embedder.empty() && row.embedder != embedder)) continue;
    RECALL_TRY(DeleteSpace(connection, row.id));
    ++deleted;
  }
  return deleted;
}

Result<SpaceContent> ReadSpaceContent(Connection& connection, int64_t id) {
  RECALL_ASSIGN(
      Statement * cached,
      connection.Cached("SELECT sum(n), max(last) FROM ("
                        "SELECT sum(vectors) AS n, max(max_chunk) AS last FROM vec_segment "
                        "WHERE space = ?1 UNION ALL "
                        "SELECT count(*), max(chunk) FROM vec_tail WHERE space = ?1)"));
  const StatementScope select(cached);
  select->BindInt(1, id);
  RECALL_ASSIGN(const bool row, select->Step());
  SpaceContent content;
  if (!row) return content;
  content.vectors = select->ColumnInt(0);
  if (!select->ColumnIsNull(1)) content.last_chunk = select->ColumnInt(1);
  return content;
}

Result<std::vector<SpaceRow>> SpacesBefore(Connection& connection, int64_t sequence) {
  RECALL_ASSIGN(std::vector<SpaceRow> rows, ListSpaces(connection));
  if (rows.empty()) return rows;
  RECALL_ASSIGN(const std::optional<SpaceRow> first, FindSpaceAt(connection, sequence));
  std::erase_if(rows, [&](const SpaceRow& row) {
    return !first || !row.since || *row.since > *first->since || row.id == first->id;
  });
  return rows;
}

Status BeginSpaces(Connection& connection) {
  // A store that is being created has no meta yet; its first space is inserted by the creator.
  return connection.Execute(
      "INSERT INTO space(id, embedder, version, dim, model, since) "
      "SELECT 1, e.value, '1', d.value, NULL, 0 FROM meta AS e, meta AS d "
      "WHERE e.key = 'embedder' AND d.key = 'dim'");
}

}  // namespace recall
