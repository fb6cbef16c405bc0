#include "storage/tables/model_table.h"

#include <sqlite3.h>

#include <memory>
#include <utility>

#include "storage/base/bytes.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/user_version.h"

namespace recall {
namespace {

constexpr int64_t kFirstFormatOfModels = 4;

// Reads a large part with incremental BLOB I/O. As a column it would be copied twice, and a process
// that runs a single query pays a page fault for every page of each copy.
Result<std::optional<std::string>> ReadLargePart(Connection& connection, int64_t id) {
  sqlite3_blob* opened = nullptr;
  const int code =
      sqlite3_blob_open(connection.handle(), "main", "model_part", "data", id, 0, &opened);
  const std::unique_ptr<sqlite3_blob, int (*)(sqlite3_blob*)> blob(opened, sqlite3_blob_close);
  if (code == SQLITE_ERROR) {  // the value is not a BLOB
    return Fail(Status::Corruption("part " + std::to_string(id) + " of the model has no data: " +
                                   sqlite3_errmsg(connection.handle())));
  }
  if (code != SQLITE_OK) return Fail(connection.ToStatus(code, "open a part of the model"));
  std::string data(static_cast<size_t>(sqlite3_blob_bytes(opened)), '\0');
  const int read = sqlite3_blob_read(opened, data.data(), static_cast<int>(data.size()), 0);
  if (read != SQLITE_OK) return Fail(connection.ToStatus(read, "read a part of the model"));
  return std::optional(std::move(data));
}

}  // namespace

Result<std::optional<ModelRow>> FindModelAt(Connection& connection, int64_t commit) {
  RECALL_ASSIGN(const bool known, FormatIsAtLeast(connection, kFirstFormatOfModels));
  if (!known) return std::nullopt;
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT id, since, chunks FROM model WHERE "
                                  "since <= ?1 ORDER BY since DESC, id DESC LIMIT 1"));
  const StatementScope select(cached);
  select->BindInt(1, commit);
  RECALL_ASSIGN(const bool row, select->Step());
  if (!row) return std::nullopt;
  return ModelRow{select->ColumnInt(0), select->ColumnInt(1), select->ColumnInt(2)};
}

Result<std::vector<std::string>> ListModelParts(Connection& connection, int64_t model) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT kind FROM model_part WHERE model = ?1 ORDER BY id"));
  const StatementScope select(cached);
  select->BindInt(1, model);
  std::vector<std::string> kinds;
  for (;;) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) return kinds;
    kinds.emplace_back(select->ColumnText(0));
  }
}

Result<std::optional<std::string>> StoredModels::ReadPart(int64_t model,
                                                          std::string_view kind) const {
  RECALL_ASSIGN(Statement * cached,
                connection_.Cached("SELECT id, CASE WHEN length(data) <= 65536 THEN data END "
                                   "FROM model_part WHERE model = ?1 AND kind = ?2"));
  const StatementScope select(cached);
  select->BindInt(1, model);
  select->BindText(2, kind);
  RECALL_ASSIGN(const bool row, select->Step());
  if (!row) return std::nullopt;
  if (select->ColumnIsNull(1)) return ReadLargePart(connection_, select->ColumnInt(0));
  return std::optional(std::string(AsText(select->ColumnBlob(1))));
}

Result<int64_t> InsertModel(Connection& connection, const ModelRow& model,
                            const std::vector<ModelPart>& parts) {
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT INTO model(since, chunks) VALUES(?1, ?2)"));
  insert->BindInt(1, model.since);
  insert->BindInt(2, model.chunks);
  RECALL_TRY(insert->Run());
  RECALL_ASSIGN(const int64_t id, connection.QueryInt("SELECT last_insert_rowid()"));
  for (const ModelPart& part : parts) {
    RECALL_ASSIGN(
        Statement * put,
        connection.Cached("INSERT INTO model_part(model, kind, data) VALUES(?1, ?2, ?3)"));
    put->BindInt(1, id);
    put->BindText(2, part.kind);
    put->BindBlob(3, AsBytes(part.data));
    RECALL_TRY(put->Run());
  }
  return id;
}

Status DropModelsBefore(Connection& connection, int64_t sequence) {
  // The model active at `sequence` is the last one from then or before; all earlier ones are
  // deleted.
  RECALL_ASSIGN(Statement * remove,
                connection.Cached("DELETE FROM model WHERE since < (SELECT max(since) FROM model "
                                  "WHERE since <= ?1)"));
  remove->BindInt(1, sequence);
  RECALL_TRY(remove->Run());
  return connection.Execute("DELETE FROM model_part WHERE model NOT IN (SELECT id FROM model)");
}

}  // namespace recall
