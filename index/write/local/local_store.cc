#include "index/write/local/local_store.h"

#include <numeric>
#include <tuple>
#include <utility>

#include "index/search/bitmap/tombstones.h"
#include "index/search/vector/vector_writer.h"
#include "index/write/local/link_targets.h"
#include "index/write/local/local_snapshot.h"
#include "storage/base/bytes.h"
#include "storage/base/check.h"
#include "storage/documents/document_store.h"
#include "storage/fts5/fts_batch.h"
#include "storage/notes/activity_table.h"
#include "storage/notes/card_table.h"
#include "storage/notes/link_table.h"
#include "storage/notes/name_table.h"
#include "storage/notes/note_set.h"
#include "storage/tables/model_table.h"
#include "storage/tables/source_roots.h"
#include "storage/tables/symbol_table.h"

namespace recall {
namespace {

// The writer of a store. Workers prepare documents in parallel
// (index/write/ingest/document_builder.h); the writer makes each batch one transaction:
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

// One transaction. Terms are of the space that it writes.
class LocalStore::Batch final : public WriteBatch {
 public:
  Batch(LocalStore* store, std::unique_ptr<WriteTransaction> transaction, Bitmap tombstones)
      : store_(store),
        transaction_(std::move(transaction)),
        view_(*transaction_),
        tombstones_(std::move(tombstones)) {}

  const Snapshot& view() const override { return view_; }
  Status Put(const PreparedDocument& document) override {
    RECALL_CHECK(store_->space_ != nullptr);
    putting_ = true;
    return PutDocument(document).WithContext("write " + document.doc.path);
  }
  Status Remove(const DocRow& doc) override;
  Result<bool> PutLink(const LinkRecord& link) override;
  Result<bool> RemoveLink(const LinkRecord& link) override;
  Result<bool> PutUse(std::string_view path, UseRow row) override;
  Result<bool> PutReview(std::string_view path, ReviewRow row) override;
  Result<bool> Merge(std::string_view path, const DocumentRecords& history) override;
  Status PutSharedNote(std::string_view path, const SharedNote& note) override {
    return WriteSharedNote(transaction_->connection(), path, note);
  }
  Status Commit() override;

 private:
  int64_t sequence() const { return transaction_->counts().commit_sequence + 1; }
  Result<int64_t> NameOf(std::string_view path);
  Result<bool> MergeLink(int64_t source, const LinkRecord& link);
  Status UpdateTextLinks(const DocRow& doc, const std::vector<TextLink>& links);
  Status EndTextLinks(std::string_view path);
  Status RemoveVersion(const DocRow& doc);
  Status PutDocument(const PreparedDocument& prepared);
  Status WriteChunks(const PreparedDocument& prepared, DocRow& doc);
  Status AddToNoteSet(const DocRow& doc);
  Status WriteText(std::string_view text, const std::vector<ChunkSpan>& spans,
                   std::span<const QuantizedVector> vectors, DocRow& doc);
  Status WriteTerms(const DocRow& doc, const std::vector<ChunkSpan>& spans, size_t first,
                    const DocumentTerms& terms);
  Status WritePostings(uint32_t row, const std::vector<FtsPostings>& postings);
  Result<TermBuilder*> Terms() const { return store_->Terms(*transaction_); }
  const VectorGeometry& space() const { return store_->space_->geometry(); }

  LocalStore* store_;
  std::unique_ptr<WriteTransaction> transaction_;
  LocalSnapshot view_;
  Bitmap tombstones_;
  bool tombstones_changed_ = false;
  bool putting_ = false;
  FtsBatch words_;
  std::vector<ChunkVector> vectors_;
  std::optional<Bitmap> notes_;  // the set of all notes' chunks, once this batch changes it
};

LocalStore::LocalStore(Store* store, std::shared_ptr<const EmbeddingSpace> space)
    : store_(store), space_(std::move(space)) {}

LocalStore::~LocalStore() = default;

Result<std::unique_ptr<const Snapshot>> LocalStore::BeginRead() {
  RECALL_ASSIGN(auto transaction, store_->BeginRead());
  return std::make_unique<LocalSnapshot>(std::move(transaction));
}

Result<std::unique_ptr<WriteBatch>> LocalStore::BeginBatch() {
  RECALL_ASSIGN(auto transaction, store_->BeginWrite());
  if (space_) RECALL_TRY(FollowSpace(*transaction));
  RECALL_ASSIGN(Bitmap tombstones, ReadTombstones(*transaction));
  return std::make_unique<Batch>(this, std::move(transaction), std::move(tombstones));
}

Status LocalStore::FollowSpace(const ReadTransaction& transaction) {
  RECALL_ASSIGN(const SpaceRow* const row, transaction.space());
  if (*row == space_->row()) return Status::Ok();
  RECALL_ASSIGN(const auto space, space_->Reopen(transaction));
  RECALL_TRY(internal::ToStatus(space->LoadVectors(StoredModels(transaction.connection()))));
  space_ = space;
  terms_ = nullptr;
  return Status::Ok();
}

Result<TermBuilder*> LocalStore::Terms(const ReadTransaction& transaction) {
  if (terms_) return terms_.get();
  if (!space_->IsLoaded()) {
    RECALL_ASSIGN(const auto loaded, space_->Reopen(transaction));
    RECALL_TRY(loaded->Load(StoredModels(transaction.connection())));
    space_ = loaded;
  }
  terms_ = std::make_unique<TermBuilder>(space_, store_->settings().tokenizer_version);
  return terms_.get();
}

Status LocalStore::Batch::Remove(const DocRow& doc) {
  RECALL_TRY(RemoveVersion(doc));
  return EndTextLinks(doc.path);
}

Status LocalStore::Batch::RemoveVersion(const DocRow& doc) {
  // A corrupt number must not create a bitmap of all possible rows.
  if (int64_t{doc.first_chunk} + doc.chunk_count > transaction_->next_chunk()) {
    return Status::Corruption(
        transaction_->path() + ": " + doc.path + " has chunk rowids that were not allocated",
        "restore the store from a backup, or create a new one");
  }
  RECALL_TRY(MarkDocRemoved(*transaction_, doc.row));
  if (doc.chunk_count > 0) {
    tombstones_.AddRange(doc.first_chunk, doc.first_chunk + doc.chunk_count - 1);
  }
  tombstones_changed_ = true;
  StoreCounts& counts = transaction_->mutable_counts();
  counts.docs -= 1;
  counts.chunks -= doc.chunk_count;
  counts.tokens -= doc.tokens;
  counts.lexical_tokens -= doc.lexical_tokens;
  counts.text_bytes -= doc.size;
  return Status::Ok();
}

Status LocalStore::Batch::Commit() {
  RECALL_TRY(words_.Write(transaction_->connection()));
  if (!vectors_.empty()) RECALL_TRY(AppendVectors(*transaction_, space(), vectors_));
  if (tombstones_changed_) RECALL_TRY(WriteTombstones(*transaction_, tombstones_));
  if (notes_) {
    const std::string bytes = notes_->Serialize();
    RECALL_TRY(WriteNoteSet(transaction_->connection(), AsBytes(bytes)));
  }
  if (putting_ && !store_->home_.empty()) {
    RECALL_TRY(WriteHome(transaction_->connection(), {store_->home_, sequence()}));
    store_->home_.clear();
  }
  RECALL_TRY(transaction_->Commit());
  transaction_.reset();
  return putting_ ? store_->MergeSegments() : Status::Ok();
}

Status LocalStore::Batch::PutDocument(const PreparedDocument& prepared) {
  // Another writer may have committed since the file was compared, so the live version is read
  // again.
  RECALL_ASSIGN(const auto live, FindLiveDoc(*transaction_, prepared.doc.path));
  DocRow doc = prepared.doc;
  if (prepared.outcome == Outcome::kRefreshed) {
    const uint32_t version = store_->store_->settings().tokenizer_version;
    const bool same = live && live->hash == doc.hash && !HasOtherTitleTokens(doc, *live, version);
    if (!same) return Status::Ok();
    doc.row = live->row;
    return UpdateDocMetadata(*transaction_, doc);
  }
  if (live) RECALL_TRY(RemoveVersion(*live));
  RECALL_TRY(WriteChunks(prepared, doc));
  return UpdateTextLinks(doc, prepared.links);
}

// ---- Links, uses, reviews

// The name of a path; a live document at it gets a card.
Result<int64_t> LocalStore::Batch::NameOf(std::string_view path) {
  Connection& connection = transaction_->connection();
  RECALL_ASSIGN(const auto name, FindName(connection, path));
  if (name) return *name;
  RECALL_ASSIGN(const int64_t made, FindOrInsertName(connection, path));
  RECALL_TRY(InsertCardOfName(connection, path));
  return made;
}

Status LocalStore::Batch::EndTextLinks(std::string_view path) {
  Connection& connection = transaction_->connection();
  RECALL_ASSIGN(const auto name, FindName(connection, path));
  if (!name) return Status::Ok();
  RECALL_ASSIGN(const auto links, LinksAt(connection, LinkEnd::kSource, *name));
  for (const LinkRow& link : links) {
    if (link.origin == kTextLink) RECALL_TRY(EndLink(connection, link.id, sequence()));
  }
  return Status::Ok();
}

// The links of a new version's text; those that the version before had, too, stay as they are.
Status LocalStore::Batch::UpdateTextLinks(const DocRow& doc, const std::vector<TextLink>& links) {
  if (links.empty()) return EndTextLinks(doc.path);
  Connection& connection = transaction_->connection();
  RECALL_ASSIGN(const int64_t source, NameOf(doc.path));
  std::vector<LinkRow> wanted;
  for (const TextLink& link : links) {
    RECALL_ASSIGN(const std::string path, ResolveLinkTarget(*transaction_, doc.path, link.target));
    if (path == doc.path) continue;
    RECALL_ASSIGN(const int64_t target, NameOf(path));
    wanted.push_back({.source = source,
                      .target = target,
                      .relation = link.relation,
                      .origin = std::string(kTextLink),
                      .at = doc.mtime.value_or(0)});
  }
  RECALL_ASSIGN(const auto present, LinksAt(connection, LinkEnd::kSource, source));
  for (const LinkRow& link : present) {
    const bool stays = std::ranges::any_of(wanted, [&](const LinkRow& other) {
      return other.target == link.target && other.relation == link.relation;
    });
    if (link.origin == kTextLink && !stays) RECALL_TRY(EndLink(connection, link.id, sequence()));
  }
  for (const LinkRow& link : wanted) {
    RECALL_TRY(PutLinkRow(connection, link, sequence()));
  }
  return Status::Ok();
}

Result<bool> LocalStore::Batch::PutLink(const LinkRecord& link) {
  RECALL_ASSIGN(const int64_t source, NameOf(link.source));
  RECALL_ASSIGN(const int64_t target, NameOf(link.target));
  return PutLinkRow(transaction_->connection(),
                    {.source = source,
                     .target = target,
                     .relation = link.relation,
                     .weight = link.weight,
                     .reason = link.reason,
                     .origin = link.origin,
                     .at = link.at},
                    sequence());
}

Result<bool> LocalStore::Batch::MergeLink(int64_t source, const LinkRecord& link) {
  Connection& connection = transaction_->connection();
  RECALL_ASSIGN(const int64_t target, NameOf(link.target));
  const LinkRow row{.source = source,
                    .target = target,
                    .relation = link.relation,
                    .weight = link.weight,
                    .reason = link.reason,
                    .origin = link.origin,
                    .at = link.at};
  RECALL_ASSIGN(const auto present, LinksAt(connection, LinkEnd::kSource, source));
  for (const LinkRow& other : present) {
    if (other.target != target || other.relation != row.relation || other.origin != row.origin) {
      continue;
    }
    const auto value = [](const LinkRow& of) { return std::tuple(of.weight, of.reason, -of.at); };
    if (value(other) >= value(row)) return false;
    RECALL_TRY(EndLink(connection, other.id, sequence()));
  }
  return PutLinkRow(connection, row, sequence());
}

Result<bool> LocalStore::Batch::Merge(std::string_view path, const DocumentRecords& history) {
  if (history.Empty()) return false;
  Connection& connection = transaction_->connection();
  RECALL_ASSIGN(const int64_t name, NameOf(path));
  bool changed = false;
  for (const LinkRecord& link : history.links) {
    RECALL_ASSIGN(const bool made, MergeLink(name, link));
    changed |= made;
  }
  for (UseRow use : history.uses) {
    RECALL_ASSIGN(const bool known, HasUse(connection, name, use.at, use.how));
    if (known) continue;
    use.name = name;
    use.store = store_->store_->uuid();
    RECALL_TRY(AppendUse(connection, use, sequence()));
    changed = true;
  }
  for (ReviewRow review : history.reviews) {
    RECALL_ASSIGN(const bool known, HasReview(connection, name, review.at));
    if (known) continue;
    review.name = name;
    review.store = store_->store_->uuid();
    RECALL_TRY(AppendReview(connection, review, sequence()));
    changed = true;
  }
  return changed;
}

Result<bool> LocalStore::Batch::RemoveLink(const LinkRecord& link) {
  Connection& connection = transaction_->connection();
  RECALL_ASSIGN(const auto source, FindName(connection, link.source));
  RECALL_ASSIGN(const auto target, FindName(connection, link.target));
  if (!source || !target) return false;
  RECALL_ASSIGN(const auto present, LinksAt(connection, LinkEnd::kSource, *source));
  for (const LinkRow& row : present) {
    if (row.target != *target || row.relation != link.relation || row.origin != link.origin) {
      continue;
    }
    RECALL_TRY(EndLink(connection, row.id, sequence()));
    return true;
  }
  return false;
}

Result<bool> LocalStore::Batch::PutUse(std::string_view path, UseRow row) {
  RECALL_ASSIGN(row.name, NameOf(path));
  if (!row.store.empty()) return MergeUse(transaction_->connection(), row, sequence());
  row.store = store_->store_->uuid();
  RECALL_TRY(AppendUse(transaction_->connection(), row, sequence()));
  return true;
}

Result<bool> LocalStore::Batch::PutReview(std::string_view path, ReviewRow row) {
  RECALL_ASSIGN(row.name, NameOf(path));
  if (!row.store.empty()) return MergeReview(transaction_->connection(), row, sequence());
  row.store = store_->store_->uuid();
  RECALL_TRY(AppendReview(transaction_->connection(), row, sequence()));
  return true;
}

Status LocalStore::Batch::WriteChunks(const PreparedDocument& prepared, DocRow& doc) {
  const auto& spans = prepared.spans;
  doc.chunk_count = static_cast<uint32_t>(spans.size());
  doc.tokens = SumTokens(spans);
  doc.lexical_tokens += Sum(prepared.terms.lexical_tokens);
  RECALL_ASSIGN(doc.first_chunk, transaction_->AllocateChunkRows(doc.chunk_count));
  RECALL_ASSIGN(doc.row, InsertDoc(*transaction_, doc, prepared.text_blocks));
  if (doc.parser == kNoteParser) RECALL_TRY(AddToNoteSet(doc));

  const bool same_space = prepared.space == store_->space_->row().id;
  std::vector<QuantizedVector> anew;
  if (!same_space) {
    // Another process activated a new space after the vectors were made.
    RECALL_ASSIGN(const TermBuilder* const terms, Terms());
    anew = terms->SuppliedVectors(doc, spans.size());
  }
  if (!prepared.text.empty()) {
    const std::span<const QuantizedVector> vectors = same_space ? prepared.vectors : anew;
    RECALL_TRY(WriteText(prepared.text, spans, vectors, doc));
  } else if (same_space) {
    RECALL_TRY(WriteTerms(doc, spans, 0, prepared.terms));
  } else {
    RECALL_ASSIGN(const std::string text, DecompressText(doc, prepared.text_blocks));
    RECALL_TRY(WriteText(text, spans, anew, doc));
  }

  StoreCounts& counts = transaction_->mutable_counts();
  counts.docs += 1;
  counts.chunks += doc.chunk_count;
  counts.tokens += doc.tokens;
  counts.lexical_tokens += doc.lexical_tokens;
  counts.text_bytes += doc.size;
  return Status::Ok();
}

Status LocalStore::Batch::AddToNoteSet(const DocRow& doc) {
  if (doc.chunk_count == 0) return Status::Ok();
  if (!notes_) {
    RECALL_ASSIGN(const std::string bytes, ReadNoteSet(transaction_->connection()));
    RECALL_ASSIGN(notes_, Bitmap::Parse(AsBytes(bytes)));
  }
  notes_->AddRange(doc.first_chunk, doc.first_chunk + doc.chunk_count - 1);
  return Status::Ok();
}

Status LocalStore::Batch::WriteText(std::string_view text, const std::vector<ChunkSpan>& spans,
                                    std::span<const QuantizedVector> vectors, DocRow& doc) {
  doc.lexical_tokens = 0;
  for (size_t first = 0; first < spans.size(); first += kWritePieceChunks) {
    const size_t last = std::min(first + kWritePieceChunks, spans.size());
    RECALL_ASSIGN(TermBuilder* const terms, Terms());
    RECALL_ASSIGN(const auto built, terms->Build(doc, text, spans, first, last, vectors));
    doc.lexical_tokens += Sum(built.lexical_tokens);
    RECALL_TRY(WriteTerms(doc, spans, first, built));
  }
  return UpdateDocLexicalTokens(*transaction_, doc);
}

Status LocalStore::Batch::WriteTerms(const DocRow& doc, const std::vector<ChunkSpan>& spans,
                                     size_t first, const DocumentTerms& terms) {
  const uint32_t first_row = doc.first_chunk + static_cast<uint32_t>(first);
  for (uint32_t i = 0; i < terms.lexical_tokens.size(); ++i) {
    const uint32_t lexical_tokens = terms.lexical_tokens[i];
    const ChunkRow chunk = MakeChunkRow(doc, first_row + i, spans[first + i], lexical_tokens);
    RECALL_TRY(InsertChunk(*transaction_, doc, chunk));
    RECALL_TRY(InsertSymbols(transaction_->connection(), chunk.row, spans[first + i].symbols));
    vectors_.push_back({chunk.row, lexical_tokens, chunk.tokens, terms.vectors[i]});
  }
  RECALL_TRY(WritePostings(first_row, terms.postings));
  // A very large document fills whole segments, which need not wait in memory.
  if (vectors_.size() >= kMaxSegmentVectors) {
    RECALL_TRY(AppendVectors(*transaction_, space(), vectors_));
    vectors_.clear();
  }
  return Status::Ok();
}

Status LocalStore::Batch::WritePostings(uint32_t row, const std::vector<FtsPostings>& postings) {
  for (const FtsPostings& of_some : postings) {
    words_.Add(row, of_some);
    row += of_some.rows();
    if (words_.bytes() < kMaxWordBytes) continue;
    RECALL_TRY(words_.Write(transaction_->connection()));
  }
  return Status::Ok();
}

// Merging is maintenance: the batch is already committed, so a merge that cannot get the write lock
// is left to a later batch.
Status LocalStore::MergeSegments() {
  for (;;) {
    auto transaction = store_->BeginWrite();
    if (!transaction) {
      return transaction.error().code() == StatusCode::kBusy ? Status::Ok() : transaction.error();
    }
    RECALL_ASSIGN(const VectorGeometry space, GeometryOf(**transaction));
    RECALL_ASSIGN(const bool changed, MergeSegmentsOnce(**transaction, space));
    if (!changed) return Status::Ok();
    RECALL_TRY((*transaction)->Commit());
  }
}

}  // namespace recall
