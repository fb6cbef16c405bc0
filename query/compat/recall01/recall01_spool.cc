// An external sort of documents and chunks, by SQLite.
//
// An export of recall 0.1 may list documents and chunks in any order and may be larger than memory,
// but an import needs one document at a time, by path, with its chunks in order. The spool stores
// the records in two tables of a temporary database and reads them back through indexes:
//
//   input, any order            tables                 indexes made by Sort()      output
//   chunk b/1, doc a,           doc(place, id, ...)    doc(path, place)            a: a/0 a/1
//   chunk a/1, doc b,    ->     chunk(place, doc_id,   chunk(doc_id, offset,  ->   b: b/0 b/1
//   chunk a/0, chunk b/0               offset, ...)          part, place)
//
// The indexes are created after all rows are inserted: sorting once is cheaper than maintaining
// them row by row. `place` is the line or row of a record. It is the primary key, the tie-breaker
// of the order, and the position in errors.
//
// Invariants: after Sort() each path and each id belongs to at most one document, the last one in
// the input; the others, and chunks without a document, are counted as notes. All texts are BLOBs,
// so they are compared byte by byte, and text that is not UTF-8 is preserved.
//
// Cost: O(n log n) for n records. Memory: SQLite's page cache and one document, whose size is
// bounded by max_document_bytes. The temporary file is deleted by the system when it is closed,
// even after a crash.

#include "query/compat/recall01/recall01_spool.h"

#include "storage/base/bytes.h"

namespace recall {
namespace {

// All texts are stored as BLOBs, which are compared byte by byte.
constexpr const char* kTables =
    "BEGIN;"
    "CREATE TABLE doc(place INTEGER PRIMARY KEY, id, path, mtime, hash, tag, source, meta);"
    "CREATE TABLE chunk(place INTEGER PRIMARY KEY, doc_id, id, offset, part, tokens, text,"
    "                   embedding);";
constexpr const char* kIndexes =
    "CREATE INDEX doc_path ON doc(path, place);"
    "CREATE INDEX doc_id ON doc(id, place);"
    "CREATE INDEX chunk_doc ON chunk(doc_id, offset, part, place);";
// Selects the documents to delete. If several have the same path, or the same id, only the last one
// is kept.
constexpr const char* kRepeated =
    "SELECT place FROM doc WHERE "
    "EXISTS(SELECT 1 FROM doc later WHERE later.path = doc.path AND later.place > doc.place) OR "
    "EXISTS(SELECT 1 FROM doc later WHERE later.id = doc.id AND later.place > doc.place) "
    "ORDER BY place";

void BindBytes(Statement& statement, int parameter, const std::optional<std::string>& bytes) {
  bytes ? statement.BindBlob(parameter, AsBytes(*bytes)) : statement.BindNull(parameter);
}

std::string Bytes(const Statement& row, int column) {
  return std::string(AsText(row.ColumnBlob(column)));
}

std::optional<std::string> BytesOrNull(const Statement& row, int column) {
  if (row.ColumnIsNull(column)) return std::nullopt;
  return Bytes(row, column);
}

}  // namespace

Result<std::unique_ptr<Recall01Spool>> Recall01Spool::Create(SourcePlace source,
                                                             uint64_t max_document_bytes) {
  std::unique_ptr<Recall01Spool> spool(new Recall01Spool(std::move(source), max_document_bytes));
  RECALL_ASSIGN(spool->connection_,
                Connection::Open("a temporary file", {.mode = ConnectionMode::kScratch}));
  RECALL_TRY(spool->connection_->Execute(kTables));
  return spool;
}

Status Recall01Spool::PutDocument(const Recall01Document& document) {
  RECALL_ASSIGN(Statement * insert,
                connection_->Cached("INSERT INTO doc VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"));
  insert->BindInt(1, document.place);
  insert->BindBlob(2, AsBytes(document.id));
  insert->BindBlob(3, AsBytes(document.path));
  insert->BindBlob(4, AsBytes(document.mtime));
  insert->BindBlob(5, AsBytes(document.hash));
  BindBytes(*insert, 6, document.tag);
  BindBytes(*insert, 7, document.source);
  BindBytes(*insert, 8, document.meta);
  return insert->Run().WithContext("sort the documents");
}

Status Recall01Spool::PutChunk(const std::string& doc_id, const Recall01Chunk& chunk) {
  RECALL_ASSIGN(Statement * insert,
                connection_->Cached("INSERT INTO chunk VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"));
  insert->BindInt(1, chunk.place);
  insert->BindBlob(2, AsBytes(doc_id));
  insert->BindBlob(3, AsBytes(chunk.id));
  insert->BindInt(4, static_cast<int64_t>(chunk.offset));
  insert->BindInt(5, chunk.byte_in_token);
  insert->BindOptionalInt(6, chunk.tokens);
  insert->BindBlob(7, AsBytes(chunk.text));
  insert->BindBlob(8, AsBytes(chunk.embedding));
  return insert->Run().WithContext("sort the chunks");
}

Status Recall01Spool::Sort(ImportWarnings* notes) {
  RECALL_TRY(connection_->Execute(kIndexes).WithContext("sort the chunks"));
  RECALL_TRY(DropRepetitions(notes));
  RECALL_ASSIGN(Statement lone,
                connection_->Prepare("SELECT count(*), min(place) FROM chunk WHERE NOT EXISTS("
                                     "SELECT 1 FROM doc WHERE doc.id = chunk.doc_id)"));
  RECALL_TRY(lone.Step());
  if (lone.ColumnInt(0) > 0) {
    notes->Add(ImportWarning::kLoneChunk, PlaceOf(lone.ColumnInt(1)).Words(), lone.ColumnInt(0));
  }
  RECALL_ASSIGN(documents_, connection_->QueryInt("SELECT count(*) FROM doc"));
  RECALL_ASSIGN(documents_by_path_,
                connection_->Prepare("SELECT place, id, path, mtime, hash, tag, source, meta "
                                     "FROM doc ORDER BY path"));
  return Status::Ok();
}

Status Recall01Spool::DropRepetitions(ImportWarnings* notes) {
  std::vector<int64_t> places;
  RECALL_ASSIGN(Statement repeated, connection_->Prepare(kRepeated));
  for (;;) {
    RECALL_ASSIGN(const bool row, repeated.Step());
    if (!row) break;
    places.push_back(repeated.ColumnInt(0));
  }
  for (const int64_t place : places) {
    notes->Add(ImportWarning::kDuplicateDoc, PlaceOf(place).Words());
    RECALL_ASSIGN(Statement * remove, connection_->Cached("DELETE FROM doc WHERE place = ?1"));
    remove->BindInt(1, place);
    RECALL_TRY(remove->Run());
  }
  return Status::Ok();
}

Result<std::unique_ptr<Recall01Document>> Recall01Spool::Next() {
  Statement& row = documents_by_path_;
  RECALL_ASSIGN(const bool more, row.Step());
  if (!more) return nullptr;
  auto document = std::make_unique<Recall01Document>();
  document->place = row.ColumnInt(0);
  document->id = Bytes(row, 1);
  document->path = Bytes(row, 2);
  document->mtime = Bytes(row, 3);
  document->hash = Bytes(row, 4);
  document->tag = BytesOrNull(row, 5);
  document->source = BytesOrNull(row, 6);
  document->meta = BytesOrNull(row, 7);
  RECALL_TRY(ReadChunks(document.get()));
  return document;
}

Status Recall01Spool::ReadChunks(Recall01Document* document) {
  RECALL_ASSIGN(Statement * cached,
                connection_->Cached("SELECT place, id, offset, part, tokens, text, embedding "
                                    "FROM chunk WHERE doc_id = ?1 ORDER BY offset, part, place"));
  const StatementScope row(cached);
  row->BindBlob(1, AsBytes(document->id));
  auto bytes = static_cast<uint64_t>(document->bytes());
  for (;;) {
    RECALL_ASSIGN(const bool more, row->Step());
    if (!more) return Status::Ok();
    Recall01Chunk chunk;
    chunk.place = row->ColumnInt(0);
    chunk.id = Bytes(*row, 1);
    chunk.offset = static_cast<uint64_t>(row->ColumnInt(2));
    chunk.byte_in_token = static_cast<uint32_t>(row->ColumnInt(3));
    chunk.tokens = row->ColumnOptionalInt(4);
    chunk.text = Bytes(*row, 5);
    chunk.embedding = Bytes(*row, 6);
    bytes += sizeof(chunk) + chunk.text.size() + chunk.embedding.size();
    if (bytes > max_document_bytes_) {
      return PlaceOf(document->place)
          .Fault(StatusCode::kLimitExceeded,
                 "one document has more than " + std::to_string(max_document_bytes_) + " bytes");
    }
    document->chunks.push_back(std::move(chunk));
  }
}

}  // namespace recall
