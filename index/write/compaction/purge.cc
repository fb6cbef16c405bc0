#include "index/write/compaction/purge.h"

#include <limits>
#include <map>

#include "index/base/text/tokenizer.h"
#include "index/search/bitmap/tombstones.h"
#include "index/source/note/document_tokenizer.h"
#include "storage/base/bytes.h"
#include "storage/base/ids.h"
#include "storage/documents/document_store.h"
#include "storage/documents/live_scan.h"
#include "storage/fts5/fts_index.h"
#include "storage/fts5/fts_vocabulary.h"
#include "storage/notes/name_table.h"
#include "storage/tables/posting_table.h"

namespace recall {
namespace {

// Purges removed documents: rows, text, tombstones and postings.
//
//   for each removed document, up to 1000 documents or 16 MiB
//     text --SHA-256 = doc.hash?--> Tokenizer --> the tokens of each chunk
//       --> FTS5 'delete' with exactly these tokens
//     tombstones of its chunks cleared; rows of doc, chunk and text deleted
//   documents with damaged text: one pass over the whole index for their tokens
//
// Problem: the FTS5 table is contentless, so FTS5 does not know the tokens of a row. A 'delete'
// needs exactly the inserted tokens; others would leave postings behind, or add negative
// ones, and damage the index.
//
// Idea: tokens are a function of text, path, title and language, so analysing it again gives them.
// The hash of the document proves that the text is the original one. If it is not, the index itself
// is scanned for the row's tokens; their order does not matter for deletion.
//
// Invariants: vectors are purged before (see purge.h). Precomputed posting lists are deleted in the
// same transaction, because they contain the rows. Rowids are never reused, so no later document
// can get a tombstone or posting of a purged one.
//
// Cost: reading and analysing the purged texts; for damaged texts one scan of the index for each
// step that contains any.

constexpr size_t kDocsAtOnce = 1000;
constexpr int64_t kTextAtOnce = 16 << 20;
constexpr uint64_t kPieceBytes = 1 << 20;

// Checks that the text is still the one whose tokens were inserted; Corruption if it is not.
Status CheckText(const ReadTransaction& transaction, const DocRow& doc) {
  Sha256Stream hash;
  const auto size = static_cast<uint64_t>(doc.size);
  for (uint64_t start = 0; start < size; start += kPieceBytes) {
    RECALL_ASSIGN(const std::string piece, ReadText(transaction, doc, start, start + kPieceBytes));
    hash.Add(AsBytes(piece));
  }
  if (doc.parser == kImportedParser || hash.Finish() == doc.hash) return Status::Ok();
  return Status::Corruption(doc.path + ": the text does not match its hash");
}

Status DeletePostings(WriteTransaction& transaction, const DocRow& doc,
                      DocumentTokenizer& tokenizer) {
  RECALL_ASSIGN(const auto chunks, ReadChunksOf(transaction, doc));
  RECALL_TRY(CheckText(transaction, doc));
  LexicalText lexical;
  std::string head;
  if (doc.parser == kNoteParser) {
    RECALL_ASSIGN(head, ReadText(transaction, doc, 0, DocumentTokenizer::kHeadBytes));
  }
  tokenizer.Begin(doc.path, doc.parser, doc.meta, doc.language.code, head);
  for (const ChunkRow& chunk : chunks) {
    // The index is contentless: a posting is deleted by passing exactly the inserted tokens.
    RECALL_ASSIGN(const std::string text,
                  ReadText(transaction, doc, chunk.start_byte, chunk.end_byte));
    tokenizer.Analyze(chunk.heading, chunk.start_byte, text, &lexical);
    RECALL_TRY(DeleteFtsRow(transaction.connection(), chunk.row, lexical.body, lexical.compound));
  }
  return Status::Ok();
}

// Deletes the postings of chunks whose text is damaged; the tokens are those in the index. Takes
// one pass over the whole index.
Status DeletePostingsOf(WriteTransaction& transaction, const Bitmap& rows) {
  std::map<uint32_t, LexicalText> lexical;
  RECALL_TRY(ScanFtsInstances(transaction.connection(), [&](const FtsInstance& instance) {
    if (instance.row < 0 || instance.row > std::numeric_limits<uint32_t>::max()) {
      return Status::Ok();
    }
    const auto row = static_cast<uint32_t>(instance.row);
    if (!rows.Contains(row)) return Status::Ok();
    std::string& column = instance.compound ? lexical[row].compound : lexical[row].body;
    column += (column.empty() ? "" : " ") + std::string(instance.term);  // in any order
    return Status::Ok();
  }));
  for (const auto& [row, tokens] : lexical) {
    RECALL_TRY(DeleteFtsRow(transaction.connection(), row, tokens.body, tokens.compound));
  }
  return Status::Ok();
}

}  // namespace

Result<Bitmap> RemovedChunks(const ReadTransaction& transaction, int64_t sequence) {
  Bitmap rows;
  RECALL_TRY(ScanRemovedDocs(transaction, sequence, [&](RowSpan span) {
    if (span.count > 0) rows.AddRange(span.first, span.first + (span.count - 1));
  }));
  return rows;
}

Result<bool> PurgeDocuments(WriteTransaction& transaction, int64_t sequence, bool forget,
                            PurgeReport* report) {
  RECALL_ASSIGN(const auto docs, ListRemovedDocs(transaction, sequence, kDocsAtOnce));
  if (docs.empty()) return false;
  RECALL_TRY(DeletePostingSets(transaction.connection()));
  RECALL_ASSIGN(Bitmap tombstones, ReadTombstones(transaction));
  Bitmap damaged;
  DocumentTokenizer tokenizer(transaction.settings().tokenizer_version);
  int64_t bytes = 0;
  size_t purged = 0;
  for (; purged < docs.size() && bytes < kTextAtOnce; ++purged) {
    const DocRow& doc = docs[purged];
    const Status deleted = DeletePostings(transaction, doc, tokenizer);
    const bool is_damaged = deleted.code() == StatusCode::kCorruption;
    if (!is_damaged) RECALL_TRY(deleted.WithContext("purge " + doc.path));
    if (doc.chunk_count > 0) {
      const uint32_t last = doc.first_chunk + (doc.chunk_count - 1);
      tombstones.RemoveRange(doc.first_chunk, last);
      if (is_damaged) damaged.AddRange(doc.first_chunk, last);
    }
    RECALL_TRY(DeleteDocRows(transaction, doc).WithContext("purge " + doc.path));
    if (forget) {
      RECALL_ASSIGN(const auto live, FindLiveDoc(transaction, doc.path));
      if (!live) RECALL_TRY(ForgetName(transaction.connection(), doc.path));
    }
    report->docs += 1;
    report->chunks += doc.chunk_count;
    bytes += doc.size;
  }
  if (!damaged.Empty()) RECALL_TRY(DeletePostingsOf(transaction, damaged));
  RECALL_TRY(WriteTombstones(transaction, tombstones));
  return purged < docs.size() || docs.size() == kDocsAtOnce;
}

}  // namespace recall
