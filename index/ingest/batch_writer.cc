#include "index/ingest/batch_writer.h"

#include <numeric>
#include <utility>

#include "index/bitmap/tombstones.h"
#include "index/vector/vector_writer.h"
#include "storage/documents/document_store.h"
#include "storage/fts5/fts_batch.h"

namespace recall {
namespace {

// The single writer of an ingest. Workers prepare documents in parallel (document_builder.h); the
// writer makes each batch one transaction:
//
//   BEGIN (write lock)
//     per document   FindLiveDoc -> tombstones of the old version -> rows of document and chunks
//                    -> postings to FtsBatch, quantised vectors to a list
//     at the end     FtsBatch::Write (one sorted run of the full-text index), AppendVectors
//                    (delta or segments), tombstones, counts
//   COMMIT
//   merge segments, each merge in a transaction of its own
//
// Invariants:
// - A batch is written completely or not at all.
// - Between preparing and writing, another process may have committed. The live version is
//   therefore looked up again within the transaction. If another vector space became active, the
//   vectors of a prepared document are computed again in the new space (FollowSpace, WriteChunks).
// - Chunk rowids are allocated in ascending order and never reused, which FtsBatch requires.
//
// Memory: prepared content is released document by document. A document above kLargeDocumentBytes
// comes with its text only, and its terms are built here 1,024 chunks at a time. Postings are
// written early if they exceed kMaxWordBytes, and vectors if they fill a segment.
//
// Merging is maintenance after the commit: if the write lock is busy, it is left to a later batch.

using Outcome = PreparedDocument::Outcome;

// The terms of a large document are built for this many chunks at a time.
constexpr size_t kWritePieceChunks = 1024;
// The maximum size of postings that wait for the end of a batch.
constexpr size_t kMaxWordBytes = 24 << 20;

ChunkRow MakeChunkRow(const DocRow& doc, uint32_t row, const ChunkSpan& span,
                      uint32_t lexical_tokens) {
  return ChunkRow{.row = row,
                  .doc_row = doc.row,
                  .start_byte = span.start_byte,
                  .end_byte = span.end_byte,
                  .start_line = span.start_line,
                  .end_line = span.end_line,
                  .offset = span.offset,
                  .byte_in_token = span.byte_in_token,
                  .tokens = span.tokens,
                  .lexical_tokens = lexical_tokens,
                  .heading = span.heading};
}

int64_t SumTokens(const std::vector<ChunkSpan>& spans) {
  int64_t tokens = 0;
  for (const ChunkSpan& span : spans) tokens += span.tokens;
  return tokens;
}

int64_t Sum(const std::vector<uint32_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), int64_t{0});
}

}  // namespace

struct BatchWriter::Pending {
  std::unique_ptr<WriteTransaction> transaction;
  Bitmap tombstones;
  bool tombstones_changed = false;
  FtsBatch words;
  std::vector<ChunkVector> vectors;
};

Status RemoveDocument(WriteTransaction& transaction, const DocRow& doc, Bitmap& tombstones) {
  // A corrupt number must not create a bitmap of all possible rows.
  if (int64_t{doc.first_chunk} + doc.chunk_count > transaction.next_chunk()) {
    return Status::Corruption(transaction.connection().path() + ": " + doc.path +
                                  " has chunk rowids that were not allocated",
                              "restore the store from a backup, or create a new one");
  }
  RECALL_TRY(MarkDocRemoved(transaction, doc.row));
  if (doc.chunk_count > 0) {
    tombstones.AddRange(doc.first_chunk, doc.first_chunk + doc.chunk_count - 1);
  }
  StoreCounts& counts = transaction.mutable_counts();
  counts.docs -= 1;
  counts.chunks -= doc.chunk_count;
  counts.tokens -= doc.tokens;
  counts.lexical_tokens -= doc.lexical_tokens;
  counts.text_bytes -= doc.size;
  return Status::Ok();
}

BatchWriter::BatchWriter(Store* store, std::shared_ptr<const EmbeddingSpace> space)
    : store_(store), terms_(std::move(space)) {}

BatchWriter::~BatchWriter() = default;

Status BatchWriter::Write(std::vector<PreparedDocument>* batch) {
  RECALL_TRY(Begin());
  for (PreparedDocument& prepared : *batch) {
    RECALL_TRY(Add(prepared));
    prepared.ReleaseContent();
  }
  return Commit();
}

Status BatchWriter::Begin() {
  RECALL_ASSIGN(auto transaction, store_->BeginWrite());
  RECALL_TRY(FollowSpace(*transaction));
  RECALL_ASSIGN(Bitmap tombstones, ReadTombstones(*transaction));
  pending_.reset(new Pending{std::move(transaction), std::move(tombstones), false, {}, {}});
  return Status::Ok();
}

Status BatchWriter::FollowSpace(const ReadTransaction& transaction) {
  RECALL_ASSIGN(const SpaceRow* const row, transaction.space());
  if (*row == terms_.space().row()) return Status::Ok();
  RECALL_ASSIGN(const auto space, terms_.space().Reopen(transaction));
  RECALL_TRY(space->Load(transaction.connection()));
  terms_ = TermBuilder(space);
  return Status::Ok();
}

Status BatchWriter::Add(const PreparedDocument& prepared) {
  const Status written = WriteDocument(prepared, *pending_);
  if (!written.ok()) RollBack();
  return written.WithContext("write " + prepared.doc.path);
}

Status BatchWriter::Commit() {
  const std::unique_ptr<Pending> pending = std::move(pending_);
  RECALL_TRY(CommitPending(*pending));
  pending->transaction.reset();
  return MergeSegments();
}

Status BatchWriter::CommitPending(Pending& pending) {
  RECALL_TRY(pending.words.Write(pending.transaction->connection()));
  if (!pending.vectors.empty()) {
    RECALL_TRY(AppendVectors(*pending.transaction, terms_.space().vectors(), pending.vectors));
  }
  if (pending.tombstones_changed) {
    RECALL_TRY(WriteTombstones(*pending.transaction, pending.tombstones));
  }
  return pending.transaction->Commit();
}

void BatchWriter::RollBack() { pending_.reset(); }

const ReadTransaction& BatchWriter::transaction() const { return *pending_->transaction; }

Status BatchWriter::WriteDocument(const PreparedDocument& prepared, Pending& pending) {
  // Another writer may have committed since the file was compared, so the live version is read
  // again.
  RECALL_ASSIGN(const auto live, FindLiveDoc(*pending.transaction, prepared.doc.path));
  DocRow doc = prepared.doc;
  if (prepared.outcome == Outcome::kRefreshed) {
    if (!live || live->hash != doc.hash) return Status::Ok();
    doc.row = live->row;
    return UpdateDocMetadata(*pending.transaction, doc);
  }
  if (live) {
    RECALL_TRY(RemoveDocument(*pending.transaction, *live, pending.tombstones));
    pending.tombstones_changed = true;
  }
  return WriteChunks(prepared, doc, pending);
}

Status BatchWriter::WriteChunks(const PreparedDocument& prepared, DocRow& doc, Pending& pending) {
  const auto& spans = prepared.spans;
  doc.chunk_count = static_cast<uint32_t>(spans.size());
  doc.tokens = SumTokens(spans);
  doc.lexical_tokens += Sum(prepared.terms.lexical_tokens);
  RECALL_ASSIGN(doc.first_chunk, pending.transaction->AllocateChunkRows(doc.chunk_count));
  RECALL_ASSIGN(doc.row, InsertDoc(*pending.transaction, doc, prepared.text_blocks));

  const bool same_space = prepared.space == terms_.space().row().id;
  // If the spaces differ, another process activated a new space after the vectors were made.
  const std::vector<QuantizedVector> anew =
      same_space ? std::vector<QuantizedVector>() : terms_.SuppliedVectors(doc, spans.size());
  if (!prepared.text.empty()) {
    const std::span<const QuantizedVector> vectors = same_space ? prepared.vectors : anew;
    RECALL_TRY(WriteText(prepared.text, spans, vectors, doc, pending));
  } else if (same_space) {
    RECALL_TRY(WriteTerms(doc, spans, 0, prepared.terms, pending));
  } else {
    RECALL_ASSIGN(const std::string text, DecompressText(doc, prepared.text_blocks));
    RECALL_TRY(WriteText(text, spans, anew, doc, pending));
  }

  StoreCounts& counts = pending.transaction->mutable_counts();
  counts.docs += 1;
  counts.chunks += doc.chunk_count;
  counts.tokens += doc.tokens;
  counts.lexical_tokens += doc.lexical_tokens;
  counts.text_bytes += doc.size;
  return Status::Ok();
}

Status BatchWriter::WriteText(std::string_view text, const std::vector<ChunkSpan>& spans,
                              std::span<const QuantizedVector> vectors, DocRow& doc,
                              Pending& pending) {
  doc.lexical_tokens = 0;
  for (size_t first = 0; first < spans.size(); first += kWritePieceChunks) {
    const size_t last = std::min(first + kWritePieceChunks, spans.size());
    RECALL_ASSIGN(const auto terms, terms_.Build(text, spans, first, last, vectors));
    doc.lexical_tokens += Sum(terms.lexical_tokens);
    RECALL_TRY(WriteTerms(doc, spans, first, terms, pending));
  }
  return UpdateDocLexicalTokens(*pending.transaction, doc);
}

Status BatchWriter::WriteTerms(const DocRow& doc, const std::vector<ChunkSpan>& spans, size_t first,
                               const DocumentTerms& terms, Pending& pending) {
  WriteTransaction& transaction = *pending.transaction;
  const uint32_t first_row = doc.first_chunk + static_cast<uint32_t>(first);
  for (uint32_t i = 0; i < terms.lexical_tokens.size(); ++i) {
    const uint32_t lexical_tokens = terms.lexical_tokens[i];
    const ChunkRow chunk = MakeChunkRow(doc, first_row + i, spans[first + i], lexical_tokens);
    RECALL_TRY(InsertChunk(transaction, doc, chunk));
    pending.vectors.push_back({chunk.row, lexical_tokens, chunk.tokens, terms.vectors[i]});
  }
  RECALL_TRY(WritePostings(first_row, terms.postings, pending));
  // A very large document fills whole segments, which need not wait in memory.
  if (pending.vectors.size() >= kMaxSegmentVectors) {
    RECALL_TRY(AppendVectors(transaction, terms_.space().vectors(), pending.vectors));
    pending.vectors.clear();
  }
  return Status::Ok();
}

Status BatchWriter::WritePostings(uint32_t row, const std::vector<FtsPostings>& postings,
                                  Pending& pending) {
  for (const FtsPostings& of_some : postings) {
    pending.words.Add(row, of_some);
    row += of_some.rows();
    if (pending.words.bytes() < kMaxWordBytes) continue;
    RECALL_TRY(pending.words.Write(pending.transaction->connection()));
  }
  return Status::Ok();
}

// Merging is maintenance: the batch is already committed, so a merge that cannot get the write lock
// is left to a later batch.
Status BatchWriter::MergeSegments() {
  for (;;) {
    auto transaction = store_->BeginWrite();
    if (!transaction) {
      return transaction.error().code() == StatusCode::kBusy ? Status::Ok() : transaction.error();
    }
    RECALL_ASSIGN(const VectorSpace space, SpaceOf(**transaction));
    RECALL_ASSIGN(const bool changed, MergeSegmentsOnce(**transaction, space));
    if (!changed) return Status::Ok();
    RECALL_TRY((*transaction)->Commit());
  }
}

}  // namespace recall
