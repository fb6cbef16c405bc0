// The writing half of document_store.h.

#include "storage/base/bytes.h"
#include "storage/base/checked_math.h"
#include "storage/documents/document_store.h"
#include "storage/metadata/metadata_index.h"
#include "storage/notes/card_table.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/supplied_vectors.h"
#include "storage/tables/symbol_table.h"
#include "storage/tables/text_grams.h"

namespace recall {
namespace {

// The rows that each function changes. A version of a document is never changed in place, except
// its labels (mtime, tag, source, meta, origin); it is added, then marked as removed, then purged:
//
//                       doc           text_block,    chunk    doc_meta,  doc_past
//                                     given_vector            card
//   InsertDoc           insert        insert                  insert
//   InsertChunk                                      insert
//   UpdateDocMetadata   update                                replace    insert the old labels
//   MarkDocRemoved      removed_seq                           delete
//   DeleteDocRows       delete        delete         delete
//
// Invariants: a path has at most one live version. doc_meta contains exactly the metadata of live
// versions. Snapshots of earlier commits find removed versions by removed_seq and replaced labels
// in doc_past (storage/history/snapshot_view.h). Postings, vectors, tombstones and counters belong
// to the caller. A chunk is deleted with its words (storage/tables/forward_table.h) and
// its symbols (storage/tables/symbol_table.h).

// The index on paths serves filters and is not unique; this check is sufficient under the write
// lock.
Status CheckPathIsFree(Connection& connection, const std::string& path) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT 1 FROM doc WHERE path = ?1 AND removed_seq IS NULL"));
  const StatementScope select(cached);
  select->BindText(1, path);
  RECALL_ASSIGN(const bool row, select->Step());
  if (!row) return Status::Ok();
  return Status::AlreadyExists(path + ": the store already has a live version of this document",
                               "remove it first");
}

// The caller read the row in this transaction, by an index.
Status UnexpectedState(int64_t doc_row) {
  return Status::Corruption(
      "document row " + std::to_string(doc_row) + " is not in the expected state",
      "run `recall doctor`, or restore the store from a backup");
}

Status CheckChanged(const WriteTransaction& transaction, int64_t doc_row) {
  RECALL_ASSIGN(const int64_t changed, transaction.connection().QueryInt("SELECT changes()"));
  return changed == 1 ? Status::Ok() : UnexpectedState(doc_row);
}

Status InsertTextBlocks(Connection& connection, int64_t first,
                        const std::vector<std::string>& blocks) {
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT INTO text_block(id, data) VALUES(?1, ?2)"));
  for (size_t i = 0; i < blocks.size(); ++i) {
    insert->BindInt(1, first + static_cast<int64_t>(i));
    insert->BindBlob(2, AsBytes(blocks[i]));
    RECALL_TRY(insert->Run());
  }
  return Status::Ok();
}

Status DeleteRange(Connection& connection, const char* sql, int64_t first, int64_t count) {
  RECALL_ASSIGN(Statement * remove, connection.Cached(sql));
  remove->BindInt(1, first);
  remove->BindInt(2, first + count - 1);
  return remove->Run();
}

// Saves the values that a refresh is about to replace, for snapshots of earlier commits. If one
// commit refreshes a document several times, only the values before the first refresh are saved:
// earlier commits had these.
Status KeepPast(WriteTransaction& transaction, const DocRow& old) {
  const int64_t sequence = transaction.counts().commit_sequence + 1;
  if (old.added_sequence == sequence) return Status::Ok();
  RECALL_ASSIGN(Statement * insert,
                transaction.connection().Cached(
                    "INSERT OR IGNORE INTO doc_past(until_seq, doc, mtime, tag, source, meta, "
                    "origin) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)"));
  insert->BindInt(1, sequence);
  insert->BindInt(2, old.row);
  insert->BindOptionalInt(3, old.mtime);
  insert->BindOptionalText(4, old.tag);
  insert->BindOptionalText(5, old.source);
  insert->BindOptionalText(6, old.meta);
  insert->BindText(7, old.origin);
  return insert->Run();
}

CardOwner CardOwnerOf(const DocRow& doc, int64_t row) {
  return {.doc_row = row,
          .first_chunk = doc.first_chunk,
          .chunk_count = doc.chunk_count,
          .path = doc.path,
          .is_note = doc.parser == kNoteParser,
          .meta = doc.meta ? std::string_view(*doc.meta) : std::string_view(),
          .mtime = doc.mtime};
}

// Inserts the rows of other tables that belong to the document in row `row` of `doc`.
Status InsertRowsOfDoc(Connection& connection, const DocRow& doc, int64_t row) {
  if (doc.meta) {
    RECALL_TRY(AddToMetadataIndex(connection, {row, doc.first_chunk, doc.chunk_count}, *doc.meta));
  }
  if (!doc.supplied_vector.empty()) {
    RECALL_TRY(InsertSuppliedVector(connection, row, doc.supplied_vector));
  }
  if (doc.extraction) RECALL_TRY(InsertExtraction(connection, row, *doc.extraction));
  if (!doc.grammar.empty()) RECALL_TRY(InsertGrammar(connection, row, doc.grammar));
  RECALL_TRY(InsertLanguage(connection, row, doc.language));
  RECALL_TRY(InsertTextGrams(connection, row, doc.grams));
  return InsertCard(connection, CardOwnerOf(doc, row));
}

}  // namespace

Result<int64_t> InsertDoc(WriteTransaction& transaction, const DocRow& doc,
                          const std::vector<std::string>& text_blocks) {
  Connection& connection = transaction.connection();
  RECALL_TRY(CheckPathIsFree(connection, doc.path));
  RECALL_ASSIGN(const int64_t first_block,
                transaction.AllocateTextBlocks(static_cast<uint32_t>(text_blocks.size())));
  RECALL_TRY(InsertTextBlocks(connection, first_block, text_blocks));
  RECALL_ASSIGN(
      Statement * insert,
      connection.Cached(
          "INSERT INTO doc(key, path, hash, mtime, size, tag, source, meta, parser, "
          "first_chunk, chunk_count, first_block, tokens, lexical_tokens, added_seq, "
          "origin) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"));
  insert->BindInt(1, IdSortKey(doc.id));
  insert->BindText(2, doc.path);
  insert->BindBlob(3, doc.hash);
  insert->BindOptionalInt(4, doc.mtime);
  insert->BindInt(5, doc.size);
  insert->BindOptionalText(6, doc.tag);
  insert->BindOptionalText(7, doc.source);
  insert->BindOptionalText(8, doc.meta);
  insert->BindText(9, doc.parser);
  insert->BindInt(10, doc.first_chunk);
  insert->BindInt(11, doc.chunk_count);
  insert->BindInt(12, first_block);
  insert->BindInt(13, doc.tokens);
  insert->BindInt(14, doc.lexical_tokens);
  insert->BindInt(15, transaction.counts().commit_sequence + 1);
  insert->BindText(16, doc.origin);
  RECALL_TRY(insert->Run().WithContext("store " + doc.path));
  const int64_t row = connection.LastInsertRowId();
  RECALL_TRY(InsertRowsOfDoc(connection, doc, row));
  return row;
}

Status InsertChunk(WriteTransaction& transaction, const DocRow& doc, const ChunkRow& chunk) {
  RECALL_ASSIGN(Statement * insert,
                transaction.connection().Cached(
                    "INSERT INTO chunk(id, key, doc, start_byte, end_byte, start_line, end_line, "
                    "offset, byte_in_token, tokens, lexical_tokens, heading) "
                    "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"));
  insert->BindInt(1, chunk.row);
  insert->BindInt(2, IdSortKey(MakeChunkId(doc.id, chunk.offset, chunk.byte_in_token)));
  insert->BindInt(3, chunk.doc_row);
  insert->BindInt(4, static_cast<int64_t>(chunk.start_byte));
  insert->BindInt(5, static_cast<int64_t>(chunk.end_byte));
  insert->BindInt(6, chunk.start_line);
  insert->BindInt(7, chunk.end_line);
  insert->BindInt(8, static_cast<int64_t>(chunk.offset));
  insert->BindInt(9, chunk.byte_in_token);
  insert->BindInt(10, chunk.tokens);
  insert->BindInt(11, chunk.lexical_tokens);
  insert->BindText(12, chunk.heading);
  return insert->Run();
}

Status UpdateDocMetadata(WriteTransaction& transaction, const DocRow& doc) {
  Connection& connection = transaction.connection();
  RECALL_ASSIGN(const DocRow old, ReadDoc(transaction, doc.row));
  if (old.removed_sequence) return UnexpectedState(doc.row);
  RECALL_TRY(KeepPast(transaction, old));
  RECALL_ASSIGN(Statement * update,
                connection.Cached("UPDATE doc SET mtime = ?2, tag = ?3, source = ?4, meta = ?5, "
                                  "origin = ?6 WHERE id = ?1"));
  update->BindInt(1, doc.row);
  update->BindOptionalInt(2, doc.mtime);
  update->BindOptionalText(3, doc.tag);
  update->BindOptionalText(4, doc.source);
  update->BindOptionalText(5, doc.meta);
  update->BindText(6, doc.origin);
  RECALL_TRY(update->Run());
  if (doc.extraction) RECALL_TRY(UpdateExtraction(connection, doc.row, *doc.extraction));
  DocRow labelled = old;
  labelled.mtime = doc.mtime;
  labelled.meta = doc.meta;
  RECALL_TRY(DeleteCard(connection, doc.row));
  RECALL_TRY(InsertCard(connection, CardOwnerOf(labelled, doc.row)));
  if (old.meta == doc.meta) return Status::Ok();
  if (old.meta) RECALL_TRY(RemoveFromMetadataIndex(connection, doc.row, *old.meta));
  if (!doc.meta) return Status::Ok();
  return AddToMetadataIndex(connection, {doc.row, old.first_chunk, old.chunk_count}, *doc.meta);
}

Status UpdateDocLexicalTokens(WriteTransaction& transaction, const DocRow& doc) {
  RECALL_ASSIGN(Statement * update,
                transaction.connection().Cached("UPDATE doc SET lexical_tokens = ?2 "
                                                "WHERE id = ?1 AND removed_seq IS NULL"));
  update->BindInt(1, doc.row);
  update->BindInt(2, doc.lexical_tokens);
  RECALL_TRY(update->Run());
  return CheckChanged(transaction, doc.row);
}

Status MarkDocRemoved(WriteTransaction& transaction, int64_t doc_row) {
  Connection& connection = transaction.connection();
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("UPDATE doc SET removed_seq = ?2 "
                                  "WHERE id = ?1 AND removed_seq IS NULL RETURNING meta"));
  const StatementScope update(cached);
  update->BindInt(1, doc_row);
  update->BindInt(2, transaction.counts().commit_sequence + 1);
  RECALL_ASSIGN(const bool changed, update->Step());
  if (!changed) return UnexpectedState(doc_row);
  RECALL_TRY(DeleteCard(connection, doc_row));
  if (update->ColumnIsNull(0)) return Status::Ok();
  return RemoveFromMetadataIndex(connection, doc_row, update->ColumnText(0));
}

Status DeleteDocRows(WriteTransaction& transaction, const DocRow& doc) {
  Connection& connection = transaction.connection();
  RECALL_ASSIGN(Statement * remove,
                connection.Cached("DELETE FROM doc WHERE id = ?1 AND removed_seq IS NOT NULL"));
  remove->BindInt(1, doc.row);
  RECALL_TRY(remove->Run());
  RECALL_TRY(CheckChanged(transaction, doc.row));
  RECALL_TRY(DeleteSuppliedVector(connection, doc.row));
  RECALL_TRY(DeleteExtraction(connection, doc.row));
  RECALL_TRY(DeleteGrammar(connection, doc.row));
  RECALL_TRY(DeleteLanguage(connection, doc.row));
  RECALL_TRY(DeleteTextGrams(connection, doc.row));
  RECALL_TRY(DeleteSymbols(connection, doc.first_chunk, doc.chunk_count));
  RECALL_TRY(DeleteRange(connection, "DELETE FROM chunk WHERE id BETWEEN ?1 AND ?2",
                         doc.first_chunk, doc.chunk_count));
  RECALL_TRY(DeleteRange(connection, "DELETE FROM chunk_words WHERE chunk BETWEEN ?1 AND ?2",
                         doc.first_chunk, doc.chunk_count));
  const auto blocks = DivideRoundUp(static_cast<uint64_t>(doc.size), kTextBlockBytes);
  return DeleteRange(connection, "DELETE FROM text_block WHERE id BETWEEN ?1 AND ?2",
                     doc.first_block, static_cast<int64_t>(blocks));
}

}  // namespace recall
