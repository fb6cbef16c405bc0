#include "index/maintain/purge.h"

#include "index/filter/tombstones.h"
#include "index/text/tokenizer.h"
#include "storage/document_store.h"
#include "storage/live_scan.h"
#include "storage/sqlite/fts_index.h"

namespace recall {
namespace {

constexpr size_t kDocsAtOnce = 1000;
constexpr int64_t kTextAtOnce = 16 << 20;

Status PurgeDocument(WriteTransaction& transaction, const DocRow& doc, Tokenizer& tokenizer) {
  RECALL_ASSIGN(const auto chunks, ReadChunksOf(transaction, doc));
  LexicalText lexical;
  for (const ChunkRow& chunk : chunks) {
    // The index is contentless: a posting is deleted by giving back the very tokens inserted.
    RECALL_ASSIGN(const std::string text,
                  ReadText(transaction, doc, chunk.start_byte, chunk.end_byte));
    tokenizer.Analyze(chunk.heading, text, &lexical);
    RECALL_TRY(DeleteFtsRow(transaction.connection(), chunk.row, lexical.body, lexical.compound));
  }
  return DeleteDocRows(transaction, doc);
}

}  // namespace

Result<Bitmap> RemovedChunks(const ReadTransaction& transaction, int64_t sequence) {
  Bitmap rows;
  RECALL_TRY(ScanRemovedDocs(transaction, sequence, [&](RowSpan span) {
    if (span.count > 0) rows.AddRange(span.first, span.first + (span.count - 1));
  }));
  return rows;
}

Result<bool> PurgeDocuments(WriteTransaction& transaction, int64_t sequence, PurgeReport* report) {
  RECALL_ASSIGN(const auto docs, ListRemovedDocs(transaction, sequence, kDocsAtOnce));
  if (docs.empty()) return false;
  RECALL_ASSIGN(Bitmap tombstones, ReadTombstones(transaction));
  Tokenizer tokenizer;
  int64_t bytes = 0;
  size_t purged = 0;
  for (; purged < docs.size() && bytes < kTextAtOnce; ++purged) {
    const DocRow& doc = docs[purged];
    RECALL_TRY(PurgeDocument(transaction, doc, tokenizer).WithContext("purge " + doc.path));
    if (doc.chunk_count > 0) {
      tombstones.RemoveRange(doc.first_chunk, doc.first_chunk + (doc.chunk_count - 1));
    }
    report->docs += 1;
    report->chunks += doc.chunk_count;
    bytes += doc.size;
  }
  RECALL_TRY(WriteTombstones(transaction, tombstones));
  return purged < docs.size() || docs.size() == kDocsAtOnce;
}

}  // namespace recall
