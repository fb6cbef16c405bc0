#include "storage/metadata/metadata_index.h"

#include <limits>

#include "storage/metadata/metadata_values.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// Runs `statement` (key, kind and value are parameters 1 to 3) for every index row of the metadata:
// one for each scalar, two for each date, one for a key without scalars.
template <typename BindRest>
Status ForEachRow(Statement& statement, std::string_view json, BindRest bind_rest) {
  const auto run = [&](const std::string& key, int64_t kind, auto bind_value) {
    statement.BindText(1, key);
    statement.BindInt(2, kind);
    bind_value();
    bind_rest();
    return statement.Run();
  };
  for (const MetaEntry& entry : MetadataEntries(json)) {
    if (entry.scalars.empty()) {
      RECALL_TRY(run(entry.key, kMetaOther, [&] { statement.BindInt(3, 0); }));
    }
    for (const MetaScalar& scalar : entry.scalars) {
      const auto kind = static_cast<int64_t>(scalar.kind);
      if (kind == kMetaNumber) {
        RECALL_TRY(run(entry.key, kind, [&] { statement.BindNumber(3, scalar.number); }));
        continue;
      }
      RECALL_TRY(run(entry.key, kind, [&] { statement.BindText(3, scalar.text); }));
      if (kind != kMetaDate) continue;
      RECALL_TRY(run(entry.key, kMetaInstant, [&] { statement.BindInt(3, scalar.instant); }));
    }
  }
  return Status::Ok();
}

}  // namespace

Status AddToMetadataIndex(Connection& connection, const MetaOwner& owner, std::string_view json,
                          MetadataTable table) {
  // IGNORE: a list may contain the same value twice.
  static constexpr const char* kInsert[] = {
      "INSERT OR IGNORE INTO main.doc_meta(key, kind, value, doc, first_chunk, chunk_count) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
      "INSERT OR IGNORE INTO temp.snapshot_doc_meta(key, kind, value, doc, first_chunk, "
      "chunk_count) VALUES(?1, ?2, ?3, ?4, ?5, ?6)"};
  RECALL_ASSIGN(Statement * insert, connection.Cached(kInsert[static_cast<size_t>(table)]));
  return ForEachRow(*insert, json, [&] {
    insert->BindInt(4, owner.doc_row);
    insert->BindInt(5, owner.first_chunk);
    insert->BindInt(6, owner.chunk_count);
  });
}

Status RemoveFromMetadataIndex(Connection& connection, int64_t doc_row, std::string_view json) {
  RECALL_ASSIGN(Statement * remove,
                connection.Cached("DELETE FROM doc_meta "
                                  "WHERE key = ?1 AND kind = ?2 AND value = ?3 AND doc = ?4"));
  return ForEachRow(*remove, json, [&] { remove->BindInt(4, doc_row); });
}

Status FillMetadataIndex(Connection& connection) {
  RECALL_ASSIGN(Statement select,
                connection.Prepare("SELECT id, first_chunk, chunk_count, meta FROM doc "
                                   "WHERE removed_seq IS NULL AND meta IS NOT NULL"));
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    const MetaOwner owner{select.ColumnInt(0), static_cast<uint32_t>(select.ColumnInt(1)),
                          static_cast<uint32_t>(select.ColumnInt(2))};
    RECALL_TRY(AddToMetadataIndex(connection, owner, select.ColumnText(3)));
  }
}

}  // namespace recall
