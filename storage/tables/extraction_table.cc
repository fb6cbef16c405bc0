#include "storage/tables/extraction_table.h"

#include <algorithm>

#include "storage/base/bytes.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/user_version.h"

namespace recall {
namespace {

Status DamagedExtractionRow(const Connection& connection, int64_t doc_row) {
  return Status::Corruption(
      connection.path() + ": row " + std::to_string(doc_row) + " of table extraction is damaged",
      "run `recall doctor`, or restore the store from a backup");
}

}  // namespace

Result<bool> HasExtractionTable(Connection& connection) {
  constexpr int64_t kFirstFormatOfExtractions = 15;
  return FormatIsAtLeast(connection, kFirstFormatOfExtractions);
}

Result<bool> HasExtractions(Connection& connection) {
  RECALL_ASSIGN(const bool has_table, HasExtractionTable(connection));
  if (!has_table) return false;
  RECALL_ASSIGN(const int64_t has_rows,
                connection.QueryInt("SELECT EXISTS(SELECT 1 FROM extraction)"));
  return has_rows != 0;
}

Result<std::optional<ExtractionRow>> FindExtraction(Connection& connection, int64_t doc_row) {
  RECALL_ASSIGN(const bool has_table, HasExtractionTable(connection));
  if (!has_table) return std::nullopt;
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT format, outcome, extractor, original_hash, "
                                  "original_size, reason, warnings, spans "
                                  "FROM extraction WHERE doc = ?1"));
  const StatementScope select(cached);
  select->BindInt(1, doc_row);
  RECALL_ASSIGN(const bool found, select->Step());
  if (!found) return std::nullopt;
  ExtractionRow row;
  row.format = select->ColumnText(0);
  row.outcome = select->ColumnText(1);
  row.extractor = select->ColumnText(2);
  const ByteSpan hash = select->ColumnBlob(3);
  row.original_size = select->ColumnInt(4);
  if (hash.size() != row.original_hash.size() || row.original_size < 0) {
    return Fail(DamagedExtractionRow(connection, doc_row));
  }
  std::copy(hash.begin(), hash.end(), row.original_hash.begin());
  row.reason = select->ColumnText(5);
  row.warnings = select->ColumnText(6);
  row.spans = AsText(select->ColumnBlob(7));
  return row;
}

Status ScanExtractionPlaces(Connection& connection,
                            const std::function<bool(uint32_t first, uint32_t count)>& wants,
                            const std::function<Status(const ExtractionPlaces&)>& visit) {
  RECALL_ASSIGN(const bool has_table, HasExtractionTable(connection));
  if (!has_table) return Status::Ok();
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT doc.id, doc.first_chunk, doc.chunk_count, doc.size, "
                                  "extraction.spans FROM extraction JOIN doc "
                                  "ON doc.id = extraction.doc ORDER BY extraction.doc"));
  const StatementScope select(cached);
  for (;;) {
    RECALL_ASSIGN(const bool found, select->Step());
    if (!found) return Status::Ok();
    constexpr int64_t kRows = int64_t{1} << 32;
    const int64_t first = select->ColumnInt(1);
    const int64_t count = select->ColumnInt(2);
    if (first < 0 || count < 0 || count > kRows - 1 || first > kRows - 1 - count ||
        select->ColumnInt(3) < 0) {
      return DamagedExtractionRow(connection, select->ColumnInt(0));
    }
    // SQLite reads the pages of the places when they are asked for.
    if (!wants(static_cast<uint32_t>(first), static_cast<uint32_t>(count))) continue;
    RECALL_TRY(visit({.doc_row = select->ColumnInt(0),
                      .first_chunk = static_cast<uint32_t>(first),
                      .chunk_count = static_cast<uint32_t>(count),
                      .size = static_cast<uint64_t>(select->ColumnInt(3)),
                      .spans = AsText(select->ColumnBlob(4))}));
  }
}

Status InsertExtraction(Connection& connection, int64_t doc_row, const ExtractionRow& row) {
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT INTO extraction(doc, format, outcome, extractor, "
                                  "original_hash, original_size, reason, warnings, spans) "
                                  "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"));
  insert->BindInt(1, doc_row);
  insert->BindText(2, row.format);
  insert->BindText(3, row.outcome);
  insert->BindText(4, row.extractor);
  insert->BindBlob(5, row.original_hash);
  insert->BindInt(6, row.original_size);
  insert->BindText(7, row.reason);
  insert->BindText(8, row.warnings);
  insert->BindBlob(9, AsBytes(row.spans));
  return insert->Run();
}

Status UpdateExtraction(Connection& connection, int64_t doc_row, const ExtractionRow& row) {
  RECALL_ASSIGN(Statement * update,
                connection.Cached("UPDATE extraction SET extractor = ?2, warnings = ?3, "
                                  "reason = ?4 WHERE doc = ?1"));
  update->BindInt(1, doc_row);
  update->BindText(2, row.extractor);
  update->BindText(3, row.warnings);
  update->BindText(4, row.reason);
  return update->Run();
}

Status DeleteExtraction(Connection& connection, int64_t doc_row) {
  RECALL_ASSIGN(Statement * remove, connection.Cached("DELETE FROM extraction WHERE doc = ?1"));
  remove->BindInt(1, doc_row);
  return remove->Run();
}

}  // namespace recall
