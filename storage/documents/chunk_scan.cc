#include "storage/documents/chunk_scan.h"

#include <algorithm>

#include "storage/base/ids.h"
#include "storage/btree/column_scan.h"
#include "storage/documents/chunk_table.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// Chunks overlap and share blocks, so text is read in windows of several blocks.
constexpr uint64_t kWindowBytes = 8 * kTextBlockBytes;

// Finding the table costs as much as some hundred rows.
constexpr uint32_t kFewestRowsByPages = 512;

#define RECALL_CHUNK_SQL(column) \
  "SELECT id, " column " FROM chunk WHERE id BETWEEN ?1 AND ?2 ORDER BY id"

struct ChunkColumn {
  size_t number;  // in the definition of the table, the rowid being 0
  const char* sql;
};
constexpr ChunkColumn kHeading = {11, RECALL_CHUNK_SQL("heading")};
// Indexed by ChunkNumber.
constexpr ChunkColumn kNumbers[] = {
    {7, RECALL_CHUNK_SQL("offset")},          {9, RECALL_CHUNK_SQL("tokens")},
    {3, RECALL_CHUNK_SQL("start_byte")},      {4, RECALL_CHUNK_SQL("end_byte")},
    {5, RECALL_CHUNK_SQL("start_line")},      {6, RECALL_CHUNK_SQL("end_line")},
    {10, RECALL_CHUNK_SQL("lexical_tokens")},
};

template <typename Visit>
Status ForEachChunk(const ReadTransaction& transaction, const char* sql, uint32_t first,
                    uint32_t last, Visit visit) {
  RECALL_ASSIGN(Statement * cached, transaction.connection().Cached(sql));
  const StatementScope select(cached);
  select->BindInt(1, first);
  select->BindInt(2, last);
  for (;;) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) return Status::Ok();
    RECALL_TRY(visit(static_cast<uint32_t>(select->ColumnInt(0)), *select));
  }
}

// By the pages of the file as far as possible, from there on by SQLite.
Status ScanChunkColumn(const ReadTransaction& transaction, const ChunkColumn& column, bool is_text,
                       uint32_t first, uint32_t last, const ScannedRowVisitor& visit) {
  uint64_t next = first;
  if (first <= last && last - first >= kFewestRowsByPages) {
    RECALL_ASSIGN(next, ScanColumn(transaction.connection(), kChunkTable, {column.number, is_text},
                                   first, last, visit));
  }
  if (next > last) return Status::Ok();
  return ForEachChunk(transaction, column.sql, static_cast<uint32_t>(next), last,
                      [&](uint32_t row, const Statement& chunk) -> Status {
                        ScannedValue value;
                        if (is_text) {
                          value.text = chunk.ColumnText(1);
                        } else {
                          value.number = chunk.ColumnInt(1);
                        }
                        visit(row, value);
                        return Status::Ok();
                      });
}

}  // namespace

Status ScanChunkNumbers(const ReadTransaction& transaction, ChunkNumber column, uint32_t first,
                        uint32_t last, const ChunkNumberVisitor& visit) {
  return ScanChunkColumn(
      transaction, kNumbers[static_cast<size_t>(column)], false, first, last,
      [&visit](uint32_t row, const ScannedValue& value) { visit(row, value.number); });
}

Status ScanChunkHeadings(const ReadTransaction& transaction, uint32_t first, uint32_t last,
                         const ChunkTextVisitor& visit) {
  return ScanChunkColumn(
      transaction, kHeading, true, first, last,
      [&visit](uint32_t row, const ScannedValue& value) { visit(row, value.text); });
}

Result<std::optional<ChunkRowRange>> FindRowsOfDocument(Connection& connection, uint32_t chunk) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT doc.first_chunk, doc.chunk_count FROM chunk JOIN doc "
                                  "ON doc.id = chunk.doc WHERE chunk.id = ?1"));
  const StatementScope query(cached);
  query->BindInt(1, chunk);
  RECALL_ASSIGN(const bool found, query->Step());
  if (!found) return std::nullopt;
  const int64_t first = query->ColumnInt(0);
  const int64_t count = query->ColumnInt(1);
  const bool holds = first >= 0 && first <= chunk && count > chunk - first;
  if (!holds) return std::nullopt;  // damaged
  return ChunkRowRange{static_cast<uint32_t>(first), static_cast<uint32_t>(count)};
}

Result<bool> ChunkReader::EnterDoc(uint32_t chunk_row, int64_t doc_row) {
  if (doc_row != 0 && doc_row == doc_.row) return true;
  if (doc_row != 0 && doc_row == hidden_doc_) return false;
  window_.clear();
  window_start_ = 0;
  doc_.row = 0;
  RECALL_ASSIGN(std::optional<DocRow> doc, FindDoc(transaction_, doc_row));
  if (!doc) {
    RECALL_ASSIGN(const bool hidden, IsHidden(doc_row));
    if (hidden) {
      hidden_doc_ = doc_row;
      return false;
    }
    return Fail(Status::Corruption(transaction_.connection().path() + ": chunk rowid " +
                                       std::to_string(chunk_row) + " belongs to document row " +
                                       std::to_string(doc_row) + ", which is missing",
                                   "run `recall doctor`, or restore the store from a backup"));
  }
  doc_ = *std::move(doc);
  return true;
}

// Chunks are shared by all commits: in a snapshot, chunks of versions that it does not contain lie
// between those that it does.
Result<bool> ChunkReader::IsHidden(int64_t doc_row) const {
  RECALL_ASSIGN(Statement * cached,
                transaction_.connection().Cached("SELECT 1 FROM main.doc WHERE id = ?1"));
  const StatementScope select(cached);
  select->BindInt(1, doc_row);
  return select->Step();
}

Status ChunkReader::ScanIds(uint32_t first, uint32_t last, const ChunkTextVisitor& visit) {
  constexpr const char* kSql = RECALL_CHUNK_SQL("doc, offset, byte_in_token");
  return ForEachChunk(
      transaction_, kSql, first, last, [&](uint32_t row, const Statement& chunk) -> Status {
        RECALL_ASSIGN(const bool shown, EnterDoc(row, chunk.ColumnInt(1)));
        if (!shown) return Status::Ok();
        visit(row, ToHex(MakeChunkId(doc_.id, static_cast<uint64_t>(chunk.ColumnInt(2)),
                                     static_cast<uint64_t>(chunk.ColumnInt(3)))));
        return Status::Ok();
      });
}

Status ChunkReader::ScanDocIds(uint32_t first, uint32_t last, const ChunkTextVisitor& visit) {
  constexpr const char* kSql = RECALL_CHUNK_SQL("doc");
  return ForEachChunk(transaction_, kSql, first, last,
                      [&](uint32_t row, const Statement& chunk) -> Status {
                        RECALL_ASSIGN(const bool shown, EnterDoc(row, chunk.ColumnInt(1)));
                        if (!shown) return Status::Ok();
                        visit(row, ToHex(doc_.id));
                        return Status::Ok();
                      });
}

// Makes the window contain [start, end), as far as the text reaches.
Status ChunkReader::ReadWindow(uint64_t start, uint64_t end) {
  if (start >= window_start_ && end <= window_start_ + window_.size()) return Status::Ok();
  const uint64_t aligned = start / kTextBlockBytes * kTextBlockBytes;
  const uint64_t ahead = access_ == Access::kRanges ? kWindowBytes : kTextBlockBytes;
  RECALL_ASSIGN(window_, ReadText(transaction_, doc_, aligned, std::max(end, aligned + ahead)));
  window_start_ = aligned;
  return Status::Ok();
}

Status ChunkReader::ScanTexts(uint32_t first, uint32_t last, const ChunkTextVisitor& visit) {
  return ScanPassages(first, last, [&](uint32_t row, std::string_view, std::string_view text) {
    visit(row, text);
  });
}

Status ChunkReader::ScanPassages(uint32_t first, uint32_t last, const PassageVisitor& visit) {
  constexpr const char* kSql = RECALL_CHUNK_SQL("doc, start_byte, end_byte, heading");
  return ForEachChunk(
      transaction_, kSql, first, last, [&](uint32_t row, const Statement& chunk) -> Status {
        RECALL_ASSIGN(const bool shown, EnterDoc(row, chunk.ColumnInt(1)));
        if (!shown) return Status::Ok();
        const auto size = static_cast<uint64_t>(doc_.size);
        const uint64_t end = std::min(static_cast<uint64_t>(chunk.ColumnInt(3)), size);
        const uint64_t start = std::min(static_cast<uint64_t>(chunk.ColumnInt(2)), end);
        RECALL_TRY(ReadWindow(start, end));
        visit(row, chunk.ColumnText(4),
              std::string_view(window_).substr(start - window_start_, end - start));
        return Status::Ok();
      });
}

}  // namespace recall
