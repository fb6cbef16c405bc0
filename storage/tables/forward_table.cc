#include "storage/tables/forward_table.h"

#include <algorithm>
#include <limits>
#include <string>

#include "storage/btree/row_lookup.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/user_version.h"

namespace recall {
namespace {

// There is one dictionary at a time, and all records refer to it. A process that makes records
// reads the texts, and writes the records, in one write transaction with the dictionary that it
// found there, so records and dictionary cannot get apart.
//
// Records are rows of their own, not blocks of rows: a search reads 300 from anywhere, and a page
// has several hundred, so a record costs one descent of a b-tree of two or three levels.

constexpr int64_t kFirstFormatOfForwardIndex = 11;

constexpr BlobTableDefinition kChunkWords = {
    "chunk_words", "CREATE TABLE chunk_words(chunk INTEGER PRIMARY KEY, data BLOB NOT NULL)"};

}  // namespace

Result<bool> ReadWordDictionary(Connection& connection,
                                const std::function<void(ByteSpan data)>& visit) {
  RECALL_ASSIGN(const bool known, FormatIsAtLeast(connection, kFirstFormatOfForwardIndex));
  if (!known) return false;
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT data FROM word_dictionary ORDER BY id DESC LIMIT 1"));
  const StatementScope select(cached);
  RECALL_ASSIGN(const bool row, select->Step());
  if (row) visit(select->ColumnBlob(0));
  return row;
}

Status ReadChunkWords(Connection& connection, std::span<const uint32_t> chunks,
                      const std::function<void(uint32_t index, ByteSpan record)>& visit) {
  RECALL_ASSIGN(const bool visited, VisitBlobs(connection, kChunkWords, chunks, visit));
  if (visited) return Status::Ok();
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT data FROM chunk_words WHERE chunk = ?1"));
  for (uint32_t i = 0; i < chunks.size(); ++i) {
    const StatementScope select(cached);
    select->BindInt(1, chunks[i]);
    RECALL_ASSIGN(const bool row, select->Step());
    if (row) visit(i, select->ColumnBlob(0));
  }
  return Status::Ok();
}

Result<std::optional<ForwardExtent>> ReadForwardExtent(Connection& connection) {
  RECALL_ASSIGN(const bool known, FormatIsAtLeast(connection, kFirstFormatOfForwardIndex));
  if (!known) return std::nullopt;
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT chunks, ifnull((SELECT max(chunk) FROM chunk_words), -1) "
                                  "FROM word_dictionary ORDER BY id DESC LIMIT 1"));
  const StatementScope select(cached);
  RECALL_ASSIGN(const bool row, select->Step());
  if (!row) return std::nullopt;
  // Rowids out of range, which `recall doctor` reports, must not overflow.
  constexpr int64_t kLast = std::numeric_limits<uint32_t>::max();
  const int64_t last = std::clamp<int64_t>(select->ColumnInt(1), -1, kLast);
  return ForwardExtent{select->ColumnInt(0), last + 1};
}

Result<int64_t> CountChunksAfter(Connection& connection, const ForwardExtent& extent) {
  return connection.QueryInt("SELECT count(*) FROM chunk WHERE id >= " +
                             std::to_string(extent.next_chunk));
}

Status ReplaceWordDictionary(Connection& connection, int64_t chunks, ByteSpan data) {
  RECALL_TRY(DeleteForwardIndex(connection));
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT INTO word_dictionary(chunks, data) VALUES(?1, ?2)"));
  insert->BindInt(1, chunks);
  insert->BindBlob(2, data);
  return insert->Run();
}

Status InsertChunkWords(Connection& connection, uint32_t chunk, ByteSpan record) {
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT INTO chunk_words(chunk, data) VALUES(?1, ?2)"));
  insert->BindInt(1, chunk);
  insert->BindBlob(2, record);
  return insert->Run();
}

Status DeleteForwardIndex(Connection& connection) {
  // With a WHERE, so that the update hook of content_sizes.h is told.
  return connection.Execute(
      "DELETE FROM chunk_words WHERE true; DELETE FROM word_dictionary WHERE true");
}

}  // namespace recall
