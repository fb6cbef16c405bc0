#include "storage/documents/document_store.h"

#include <algorithm>
#include <array>
#include <limits>

#include "storage/base/checked_math.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/doc_origin.h"

namespace recall {
namespace {

// A SELECT of documents, in the order that DocFromRow reads, for stores that record neither the
// origin nor the language of a document, for those that record the origin, and for those that
// record both.
using DocSql = std::array<const char*, 3>;
#define RECALL_DOC_COLUMNS                                                             \
  "id, path, hash, mtime, size, tag, source, meta, parser, first_chunk, chunk_count, " \
  "first_block, tokens, lexical_tokens, added_seq, removed_seq, "
#define RECALL_SELECT_DOCS(rest)                                                                  \
  {                                                                                               \
    "SELECT " RECALL_DOC_COLUMNS RECALL_INFERRED_ORIGIN("mtime", "path") ", NULL FROM doc " rest, \
        "SELECT " RECALL_DOC_COLUMNS "origin, NULL FROM doc " rest,                               \
        "SELECT " RECALL_DOC_COLUMNS "origin, " RECALL_LANGUAGE_OF_DOC " FROM doc " rest          \
  }
constexpr DocSql kLiveByPath = RECALL_SELECT_DOCS("WHERE path = ?1 AND removed_seq IS NULL");
constexpr DocSql kRemovedByPath = RECALL_SELECT_DOCS(
    "WHERE removed_seq IS NOT NULL AND path = ?1 ORDER BY removed_seq DESC, id DESC");
constexpr DocSql kByRow = RECALL_SELECT_DOCS("WHERE id = ?1");
constexpr DocSql kAllLive = RECALL_SELECT_DOCS("WHERE removed_seq IS NULL ORDER BY path");
constexpr DocSql kLiveBelow =
    RECALL_SELECT_DOCS("WHERE path >= ?1 AND path < ?2 AND removed_seq IS NULL ORDER BY path");
constexpr DocSql kLiveByKey =
    RECALL_SELECT_DOCS("WHERE key BETWEEN ?1 AND ?2 AND removed_seq IS NULL ORDER BY key");
constexpr DocSql kRemovedUpTo =
    RECALL_SELECT_DOCS("WHERE removed_seq <= ?1 ORDER BY removed_seq, id LIMIT ?2");

// In the order that ChunkFromRow reads.
#define RECALL_CHUNK_COLUMNS                                                                  \
  "chunk.id, chunk.doc, chunk.start_byte, chunk.end_byte, chunk.start_line, chunk.end_line, " \
  "chunk.offset, chunk.byte_in_token, chunk.tokens, chunk.lexical_tokens, chunk.heading"

// Reads columns as numbers of a given type; a value outside its range is damage.
class ColumnReader final {
 public:
  explicit ColumnReader(const Statement& row) : row_(row) {}

  template <typename T>
  T Number(int column) {
    const int64_t value = row_.ColumnInt(column);
    ok_ = ok_ && value >= 0 &&
          static_cast<uint64_t>(value) <= static_cast<uint64_t>(std::numeric_limits<T>::max());
    return static_cast<T>(value);
  }

  Digest Hash(int column) {
    Digest digest{};
    const ByteSpan bytes = row_.ColumnBlob(column);
    ok_ = ok_ && bytes.size() == digest.size();
    if (ok_) std::copy(bytes.begin(), bytes.end(), digest.begin());
    return digest;
  }

  void Require(bool condition) { ok_ = ok_ && condition; }
  bool ok() const { return ok_; }

 private:
  const Statement& row_;
  bool ok_ = true;
};

Status DamagedRow(const ReadTransaction& transaction, std::string_view table, int64_t row) {
  return Status::Corruption(transaction.connection().path() + ": row " + std::to_string(row) +
                                " of table " + std::string(table) + " is damaged",
                            "run `recall doctor`, or restore the store from a backup");
}

// Rowids come from other rows and from indexes, never from users, so a missing row is damage.
Status MissingRow(const ReadTransaction& transaction, std::string_view table, int64_t row) {
  return Status::Corruption(transaction.connection().path() + ": table " + std::string(table) +
                                " has no row " + std::to_string(row),
                            "run `recall doctor`, or restore the store from a backup");
}

Result<DocRow> DocFromRow(const ReadTransaction& transaction, const Statement& row) {
  ColumnReader reader(row);
  DocRow doc;
  doc.row = row.ColumnInt(0);
  doc.path = row.ColumnText(1);
  doc.hash = reader.Hash(2);
  doc.mtime = row.ColumnOptionalInt(3);
  doc.size = reader.Number<int64_t>(4);
  doc.tag = row.ColumnOptionalText(5);
  doc.source = row.ColumnOptionalText(6);
  doc.meta = row.ColumnOptionalText(7);
  doc.parser = row.ColumnText(8);
  doc.first_chunk = reader.Number<uint32_t>(9);
  doc.chunk_count = reader.Number<uint32_t>(10);
  doc.first_block = reader.Number<int64_t>(11);
  doc.tokens = reader.Number<int64_t>(12);
  doc.lexical_tokens = reader.Number<int64_t>(13);
  doc.added_sequence = reader.Number<int64_t>(14);
  doc.removed_sequence = row.ColumnOptionalInt(15);
  doc.origin = row.ColumnText(16);
  if (!row.ColumnIsNull(17)) doc.language = ParseDocLanguage(row.ColumnText(17));
  // The last chunk rowid and the last block must not overflow, either.
  uint32_t chunk_end = 0;
  int64_t block_end = 0;
  reader.Require(CheckedAdd(doc.first_chunk, doc.chunk_count, &chunk_end) || doc.chunk_count == 0);
  reader.Require(CheckedAdd(doc.first_block, doc.size, &block_end));
  if (!reader.ok()) return Fail(DamagedRow(transaction, "doc", doc.row));
  doc.id = MakeDocId(doc.path, doc.hash);
  return doc;
}

Result<ChunkRow> ChunkFromRow(const ReadTransaction& transaction, const Statement& row) {
  ColumnReader reader(row);
  ChunkRow chunk;
  chunk.row = reader.Number<uint32_t>(0);
  chunk.doc_row = row.ColumnInt(1);
  chunk.start_byte = static_cast<uint64_t>(reader.Number<int64_t>(2));
  chunk.end_byte = static_cast<uint64_t>(reader.Number<int64_t>(3));
  chunk.start_line = reader.Number<uint32_t>(4);
  chunk.end_line = reader.Number<uint32_t>(5);
  chunk.offset = static_cast<uint64_t>(reader.Number<int64_t>(6));
  chunk.byte_in_token = reader.Number<uint32_t>(7);
  chunk.tokens = reader.Number<uint32_t>(8);
  chunk.lexical_tokens = reader.Number<uint32_t>(9);
  chunk.heading = row.ColumnText(10);
  reader.Require(chunk.start_byte <= chunk.end_byte);
  if (!reader.ok()) return Fail(DamagedRow(transaction, "chunk", row.ColumnInt(0)));
  return chunk;
}

Result<Statement*> CachedDocs(const ReadTransaction& transaction, const DocSql& sql) {
  Connection& connection = transaction.connection();
  RECALL_ASSIGN(const bool has_languages, RecordsLanguages(connection));
  if (has_languages) return connection.Cached(sql[2]);
  RECALL_ASSIGN(const bool has_origins, RecordsOrigins(connection));
  return connection.Cached(sql[has_origins ? 1 : 0]);
}

// Returns all remaining rows of a DocSql.
Result<std::vector<DocRow>> ReadDocs(const ReadTransaction& transaction, Statement& select) {
  std::vector<DocRow> docs;
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return docs;
    RECALL_ASSIGN(DocRow doc, DocFromRow(transaction, select));
    docs.push_back(std::move(doc));
  }
}

bool StartsWithHex(const Digest& id, std::string_view hex_prefix) {
  const std::string hex = ToHex(id);
  return std::equal(hex_prefix.begin(), hex_prefix.end(), hex.begin(),
                    [](char given, char own) { return (given | 0x20) == own || given == own; });
}

}  // namespace

Result<std::optional<DocRow>> FindLiveDoc(const ReadTransaction& transaction,
                                          std::string_view path) {
  RECALL_ASSIGN(Statement * cached, CachedDocs(transaction, kLiveByPath));
  const StatementScope select(cached);
  select->BindText(1, path);
  RECALL_ASSIGN(const bool row, select->Step());
  if (!row) return std::nullopt;
  RECALL_ASSIGN(DocRow doc, DocFromRow(transaction, *select));
  return std::optional<DocRow>(std::move(doc));
}

Result<std::vector<DocRow>> FindRemovedVersions(const ReadTransaction& transaction,
                                                std::string_view path) {
  RECALL_ASSIGN(Statement * cached, CachedDocs(transaction, kRemovedByPath));
  const StatementScope select(cached);
  select->BindText(1, path);
  return ReadDocs(transaction, *select);
}

Result<std::optional<DocRow>> FindDoc(const ReadTransaction& transaction, int64_t doc_row) {
  RECALL_ASSIGN(Statement * cached, CachedDocs(transaction, kByRow));
  const StatementScope select(cached);
  select->BindInt(1, doc_row);
  RECALL_ASSIGN(const bool row, select->Step());
  if (!row) return std::nullopt;
  RECALL_ASSIGN(DocRow doc, DocFromRow(transaction, *select));
  return std::optional<DocRow>(std::move(doc));
}

Result<DocRow> ReadDoc(const ReadTransaction& transaction, int64_t doc_row) {
  RECALL_ASSIGN(std::optional<DocRow> doc, FindDoc(transaction, doc_row));
  if (!doc) return Fail(MissingRow(transaction, "doc", doc_row));
  return *std::move(doc);
}

Result<std::vector<DocRow>> FindLiveDocsUnder(const ReadTransaction& transaction,
                                              std::string_view directory) {
  while (directory.ends_with('/')) directory.remove_suffix(1);
  if (directory.empty() || directory == ".") {
    RECALL_ASSIGN(Statement * cached, CachedDocs(transaction, kAllLive));
    const StatementScope select(cached);
    return ReadDocs(transaction, *select);
  }
  // Paths below "a/b" sort from "a/b/" up to "a/b0", because '0' follows '/'. The document "a/b"
  // itself sorts before them.
  const std::string below = std::string(directory) + '/';
  const std::string beyond = std::string(directory) + '0';
  RECALL_ASSIGN(Statement * cached, CachedDocs(transaction, kLiveBelow));
  const StatementScope select(cached);
  select->BindText(1, below);
  select->BindText(2, beyond);
  RECALL_ASSIGN(std::vector<DocRow> docs, ReadDocs(transaction, *select));
  RECALL_ASSIGN(std::optional<DocRow> self, FindLiveDoc(transaction, directory));
  if (self) docs.insert(docs.begin(), *std::move(self));
  return docs;
}

Result<std::vector<DocRow>> FindLiveDocsById(const ReadTransaction& transaction,
                                             std::string_view hex_prefix, size_t limit) {
  std::vector<DocRow> docs;
  const std::optional<IdKeyRange> range = IdPrefixRange(hex_prefix);
  if (!range) return docs;
  RECALL_ASSIGN(Statement * cached, CachedDocs(transaction, kLiveByKey));
  const StatementScope select(cached);
  select->BindInt(1, range->first);
  select->BindInt(2, range->last);
  while (docs.size() < limit) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) break;
    RECALL_ASSIGN(DocRow doc, DocFromRow(transaction, *select));
    if (StartsWithHex(doc.id, hex_prefix)) docs.push_back(std::move(doc));
  }
  return docs;
}

Result<std::vector<ChunkRow>> FindLiveChunksById(const ReadTransaction& transaction,
                                                 std::string_view hex_prefix, size_t limit) {
  std::vector<ChunkRow> chunks;
  const std::optional<IdKeyRange> range = IdPrefixRange(hex_prefix);
  if (!range) return chunks;
  RECALL_ASSIGN(Statement * cached,
                transaction.connection().Cached(
                    "SELECT " RECALL_CHUNK_COLUMNS
                    ", doc.path, doc.hash FROM chunk JOIN doc ON doc.id = chunk.doc "
                    "WHERE chunk.key BETWEEN ?1 AND ?2 AND doc.removed_seq IS NULL "
                    "ORDER BY chunk.key"));
  const StatementScope select(cached);
  select->BindInt(1, range->first);
  select->BindInt(2, range->last);
  while (chunks.size() < limit) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) break;
    RECALL_ASSIGN(ChunkRow chunk, ChunkFromRow(transaction, *select));
    ColumnReader reader(*select);
    const Digest doc_id = MakeDocId(select->ColumnText(11), reader.Hash(12));
    if (!reader.ok()) return Fail(DamagedRow(transaction, "doc", chunk.doc_row));
    const Digest id = MakeChunkId(doc_id, chunk.offset, chunk.byte_in_token);
    if (StartsWithHex(id, hex_prefix)) chunks.push_back(std::move(chunk));
  }
  return chunks;
}

Result<ChunkRow> ReadChunk(const ReadTransaction& transaction, uint32_t chunk_row) {
  RECALL_ASSIGN(Statement * cached, transaction.connection().Cached("SELECT " RECALL_CHUNK_COLUMNS
                                                                    " FROM chunk WHERE id = ?1"));
  const StatementScope select(cached);
  select->BindInt(1, chunk_row);
  RECALL_ASSIGN(const bool row, select->Step());
  if (!row) return Fail(MissingRow(transaction, "chunk", chunk_row));
  return ChunkFromRow(transaction, *select);
}

Result<std::vector<ChunkRow>> ReadChunksOf(const ReadTransaction& transaction, const DocRow& doc) {
  RECALL_ASSIGN(Statement * cached,
                transaction.connection().Cached(
                    "SELECT " RECALL_CHUNK_COLUMNS
                    " FROM chunk WHERE id BETWEEN ?1 AND ?2 AND doc = ?3 ORDER BY id"));
  const StatementScope select(cached);
  select->BindInt(1, doc.first_chunk);
  select->BindInt(2, int64_t{doc.first_chunk} + doc.chunk_count - 1);
  select->BindInt(3, doc.row);
  std::vector<ChunkRow> chunks;
  for (;;) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) break;
    RECALL_ASSIGN(ChunkRow chunk, ChunkFromRow(transaction, *select));
    chunks.push_back(std::move(chunk));
  }
  if (chunks.size() != doc.chunk_count) return Fail(DamagedRow(transaction, "doc", doc.row));
  return chunks;
}

Result<std::vector<DocRow>> ListRemovedDocs(const ReadTransaction& transaction, int64_t sequence,
                                            size_t limit) {
  RECALL_ASSIGN(Statement * cached, CachedDocs(transaction, kRemovedUpTo));
  const StatementScope select(cached);
  select->BindInt(1, sequence);
  select->BindInt(2, static_cast<int64_t>(limit));
  return ReadDocs(transaction, *select);
}

}  // namespace recall
