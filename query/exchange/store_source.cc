// Merges the live documents of several stores: a k-way merge by path.
//
//   store 1   a1  c1  d1                each Reader has read its next document row
//   store 2   b2  c2                    the smallest path is next; of equal paths the last store
//   store 3   c3  e3                    provides the document, and all readers with it advance
//
//   output    a1  b2  c3  d1  e3        the same as adding the files of store 1, 2, 3 in order
//
// Each store is read in one read transaction, so a concurrent writer does not affect the merge. The
// stores are opened read-only.
//
// The bytes of another store are not trusted. Next() only reads rows; CheckDocument() runs on a
// worker and checks hash, metadata and chunk boundaries of each document against its text.
//
// Compressed text blocks are reused. Vectors are reused only if both stores have the same vector
// space and the embedder is not trained on the store's texts; else this store's embedder computes
// them. A damaged or missing vector discards the vectors of its document only.
//
// Cost: for each document, a time linear in the number of stores. Memory: 8 bytes for each document
// of all stores, and the documents in the pipeline.

#include "query/exchange/store_source.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "index/search/columns/chunk_columns.h"
#include "index/search/vector/stored_vectors.h"
#include "index/source/chunk/chunk_check.h"
#include "index/write/local/local_note_records.h"
#include "query/add/records/document_fields.h"
#include "query/exchange/recall_layout.h"
#include "query/exchange/session_merge.h"
#include "storage/documents/live_scan.h"
#include "storage/tables/supplied_vectors.h"
#include "storage/tables/symbol_table.h"

namespace recall {
namespace {

// A document as it was read, before it is checked.
struct StoredDocument {
  SourcePlace place;
  DocRow doc;
  std::vector<std::string> text_blocks;
  std::vector<ChunkRow> chunks;
  std::vector<QuantizedVector> vectors;      // one for each chunk, or none
  std::vector<std::vector<Symbol>> symbols;  // of each chunk; empty if the document has no grammar
  DocumentRecords history;                   // of all stores
  // The versions of a session that other stores have.
  std::vector<std::unique_ptr<StoredDocument>> versions;

  // The memory that the document takes, including the text that will be decompressed.
  int64_t bytes() const {
    size_t bytes = static_cast<size_t>(doc.size);
    for (const std::string& block : text_blocks) bytes += block.size();
    for (const ChunkRow& chunk : chunks) bytes += sizeof(chunk) + chunk.heading.size();
    for (const QuantizedVector& vector : vectors) bytes += vector.values.size();
    for (const auto& of_chunk : symbols) {
      for (const Symbol& symbol : of_chunk) {
        bytes += sizeof(symbol) + symbol.name.size() + symbol.scope.size();
      }
    }
    for (const auto& version : versions) bytes += static_cast<size_t>(version->bytes());
    return static_cast<int64_t>(bytes);
  }
};

Status Damaged(const StoredDocument& stored, const std::string& what) {
  return stored.place.Fault(StatusCode::kCorruption, what,
                            "run `recall doctor` on that store, and remove the document from it");
}

// Returns: why the document would be invalid in any store; "" if it is valid.
std::string ObjectionTo(const StoredDocument& stored, std::string_view text) {
  const DocRow& doc = stored.doc;
  if (!CanBePath(doc.path)) return "its path is empty or contains a NUL";
  if (!IsKnownParser(doc.parser)) return "its parser is unknown";
  if (doc.meta && !ParseJsonObject(*doc.meta)) return "its metadata is not a JSON object";
  if (doc.parser != kImportedParser && doc.hash != Sha256(text)) {
    return "its hash does not match its text";
  }
  if (stored.chunks.size() != doc.chunk_count) return "chunks are missing";
  if (const std::string wrong = GrammarObjection(doc); !wrong.empty()) {
    return "its grammar " + wrong;
  }
  return "";
}

ChunkSpan SpanOf(const ChunkRow& chunk) {
  ChunkSpan span;
  span.start_byte = chunk.start_byte;
  span.end_byte = chunk.end_byte;
  span.start_line = chunk.start_line;
  span.end_line = chunk.end_line;
  span.offset = chunk.offset;
  span.byte_in_token = chunk.byte_in_token;
  span.tokens = chunk.tokens;
  span.heading = chunk.heading;
  return span;
}

Result<ImportedDocument> CheckDocument(StoredDocument& stored, const ChunkOptions& chunking) {
  auto text = DecompressText(stored.doc, stored.text_blocks);
  if (!text) return Fail(text.error().WithContext(stored.place.file));
  const std::string objection = ObjectionTo(stored, *text);
  if (!objection.empty()) return Fail(Damaged(stored, objection));
  ImportedDocument imported;
  ChunkCheck check(*text, stored.doc.parser == kImportedParser);
  for (size_t i = 0; i < stored.chunks.size(); ++i) {
    const ChunkRow& chunk = stored.chunks[i];
    imported.spans.push_back(SpanOf(chunk));
    if (i < stored.symbols.size()) imported.spans.back().symbols = std::move(stored.symbols[i]);
    const std::string wrong = check.Objection(imported.spans.back());
    if (!wrong.empty()) {
      return Fail(Damaged(stored, "chunk rowid " + std::to_string(chunk.row) + ": " + wrong));
    }
  }
  if (const std::string wrong = SymbolObjection(imported.spans); !wrong.empty()) {
    return Fail(Damaged(stored, wrong));
  }
  for (const QuantizedVector& vector : stored.vectors) {
    // If one vector is damaged, the embedder of this store computes all vectors of the document.
    if (vector.scale != UnitScale(vector.values)) stored.vectors.clear();
    if (stored.vectors.empty()) break;
  }
  imported.doc = std::move(stored.doc);
  imported.doc.tokens = 0;  // the writer counts them again
  imported.doc.lexical_tokens = 0;
  imported.text = std::move(*text);
  imported.text_blocks = std::move(stored.text_blocks);
  imported.vectors = std::move(stored.vectors);
  imported.place = std::move(stored.place);
  imported.history = std::move(stored.history);
  for (const auto& version : stored.versions) {
    RECALL_ASSIGN(const ImportedDocument other, CheckDocument(*version, chunking));
    UniteWith(other.text, other.doc.meta.value_or(""), chunking, &imported);
  }
  return imported;
}

}  // namespace

// Reads one store, with a look-ahead of one document row.
class StoreSource::Reader final {
 public:
  static Result<std::unique_ptr<Reader>> Open(const std::string& path,
                                              const TransferDependencies& deps,
                                              ImportWarnings* notes) {
    std::unique_ptr<Reader> reader(new Reader);
    RECALL_ASSIGN(reader->store_, Store::Open(path, {.read_only = true}));
    RECALL_ASSIGN(reader->transaction_, reader->store_->BeginRead());
    RECALL_TRY(reader->CompareSettings(deps, notes));
    RECALL_TRY(ScanPaths(*reader->transaction_, false, [&](const PathEntry& entry) {
      reader->rows_.push_back(entry.doc_row);
      return true;
    }));
    RECALL_TRY(reader->Advance());
    return reader;
  }

  const std::string& path() const { return store_->path(); }
  const StoreCounts& counts() const { return transaction_->counts(); }
  // The next document; null at the end.
  const DocRow* next() const { return next_ ? &*next_ : nullptr; }

  // Moves to the following document.
  Status Advance() {
    next_.reset();
    if (at_ == rows_.size()) return Status::Ok();
    RECALL_ASSIGN(next_, ReadDoc(*transaction_, rows_[at_++]));
    return Status::Ok();
  }

  // Reads the next document completely. Requires: next() is not null.
  Result<std::unique_ptr<StoredDocument>> Read() {
    auto stored = std::make_unique<StoredDocument>();
    stored->doc = *next_;
    stored->place = {path(), false, next_->row};
    if (static_cast<uint64_t>(next_->size) > kMaxDocumentBytes) {
      return Fail(stored->place.Fault(StatusCode::kLimitExceeded,
                                      "the document has more than 1 GiB of text",
                                      "remove it from that store"));
    }
    RECALL_ASSIGN(stored->text_blocks, ReadTextBlocks(*transaction_, *next_));
    RECALL_ASSIGN(stored->chunks, ReadChunksOf(*transaction_, *next_));
    if (store_->settings().embedder == kUserSuppliedEmbedder) {
      RECALL_ASSIGN(stored->doc.supplied_vector,
                    FindSuppliedVector(transaction_->connection(), next_->row));
    }
    RECALL_ASSIGN(stored->doc.extraction, FindExtraction(transaction_->connection(), next_->row));
    RECALL_ASSIGN(stored->doc.grammar, FindGrammar(transaction_->connection(), next_->row));
    RECALL_TRY(ReadSymbols(stored.get()));
    if (vectors_) RECALL_TRY(ReadVectors(stored.get()));
    return stored;
  }

  // Adds what the store recorded of the next document. Requires: next() is not null.
  Status AddRecords(DocumentRecords* all) const {
    RECALL_ASSIGN(DocumentRecords history, LocalNoteRecords(*transaction_).RecordsOf(next_->path));
    std::ranges::move(history.links, std::back_inserter(all->links));
    std::ranges::move(history.uses, std::back_inserter(all->uses));
    std::ranges::move(history.reviews, std::back_inserter(all->reviews));
    return Status::Ok();
  }

 private:
  Reader() = default;

  Status CompareSettings(const TransferDependencies& deps, ImportWarnings* notes) {
    const std::string where = "'" + path() + "'";
    const StoreSettings& ours = deps.store->settings();
    const StoreSettings& theirs = store_->settings();
    const int64_t chunks = std::max<int64_t>(counts().chunks, 1);
    if (theirs.chunk_tokens != ours.chunk_tokens || theirs.overlap_tokens != ours.overlap_tokens) {
      notes->Add(ImportWarning::kChunkSizes, where, chunks);
    }
    // Vectors of a model trained on another store's texts cannot be compared with those of this
    // store. User-supplied vectors are imported with their documents.
    RECALL_ASSIGN(space_, EmbeddingSpace::Open(*transaction_));
    const std::string_view maker = space_->maker();
    if (maker == kLsaEmbedder || maker == kUserSuppliedEmbedder) return Status::Ok();
    if (OriginOf(*space_) != OriginOf(*deps.space)) {
      if (theirs.embedder != kLsaEmbedder) {
        notes->Add(ImportWarning::kVectorSpace, where, chunks);
      }
      return Status::Ok();
    }
    RECALL_ASSIGN(columns_, ChunkColumns::Open(*transaction_, space_->geometry()));
    vectors_.emplace(*columns_);
    return Status::Ok();
  }

  // Requires: the chunks were read.
  Status ReadSymbols(StoredDocument* stored) const {
    if (stored->doc.grammar.empty()) return Status::Ok();
    stored->symbols.resize(stored->chunks.size());
    size_t at = 0;
    return SymbolsOf(transaction_->connection(), stored->doc.first_chunk, stored->doc.chunk_count,
                     [&](uint32_t chunk, Symbol&& symbol) {
                       while (at < stored->chunks.size() && stored->chunks[at].row < chunk) ++at;
                       if (at == stored->chunks.size() || stored->chunks[at].row != chunk) return;
                       stored->symbols[at].push_back(std::move(symbol));
                     });
  }

  // If a chunk has no vector or its segment is damaged, no vector of the document is used.
  Status ReadVectors(StoredDocument* stored) {
    for (const ChunkRow& chunk : stored->chunks) {
      const auto vector = vectors_->Find(chunk.row);
      if (!vector && vector.error().code() != StatusCode::kCorruption) return vector.error();
      if (!vector) {
        stored->vectors.clear();
        break;
      }
      stored->vectors.push_back({vector->scale, {vector->values.begin(), vector->values.end()}});
    }
    return Status::Ok();
  }

  std::unique_ptr<Store> store_;
  std::unique_ptr<ReadTransaction> transaction_;
  std::shared_ptr<EmbeddingSpace> space_;
  std::unique_ptr<ChunkColumns> columns_;
  std::optional<StoredVectors> vectors_;  // set if the vectors can be reused
  std::vector<int64_t> rows_;             // rowids of the documents, ordered by path
  size_t at_ = 0;
  std::optional<DocRow> next_;
};

StoreSource::StoreSource() = default;
StoreSource::~StoreSource() = default;

Result<std::unique_ptr<StoreSource>> StoreSource::Open(std::span<const std::string> paths,
                                                       const TransferDependencies& deps) {
  std::unique_ptr<StoreSource> source(new StoreSource);
  const StoreSettings& settings = deps.store->settings();
  source->chunking_ = {settings.chunk_tokens, settings.overlap_tokens};
  for (const std::string& path : paths) {
    if (IsFileOfStore(path, deps.store->path())) {
      return Fail(Status::InvalidArgument(path + " is the store itself", "specify other stores"));
    }
    RECALL_ASSIGN(auto reader, Reader::Open(path, deps, &source->notes_));
    source->progress_.files_total += reader->counts().docs;
    source->progress_.bytes_total += reader->counts().text_bytes;
    source->readers_.push_back(std::move(reader));
  }
  return source;
}

Result<std::optional<ImportSource::Job>> StoreSource::Next() {
  Reader* first = nullptr;
  for (const auto& reader : readers_) {
    if (!reader->next()) continue;
    if (!first || reader->next()->path <= first->next()->path) first = reader.get();
  }
  if (!first) return std::nullopt;
  auto read = first->Read();
  if (!read) return Fail(read.error().WithContext(first->path()));
  const std::shared_ptr<StoredDocument> stored = *std::move(read);
  for (const auto& reader : readers_) {
    if (!reader->next() || reader->next()->path != stored->doc.path) continue;
    RECALL_TRY(reader->AddRecords(&stored->history));
    progress_.files_done += 1;
    progress_.bytes_done += reader->next()->size;
    const bool unites = IsSessionDocument(*reader->next()) && IsSessionDocument(stored->doc);
    if (reader.get() != first && unites) {
      auto version = reader->Read();
      if (!version) return Fail(version.error().WithContext(reader->path()));
      stored->versions.push_back(std::move(*version));
    } else if (reader.get() != first) {
      notes_.Add(ImportWarning::kDuplicateDoc, "'" + stored->doc.path + "'");
    }
    RECALL_TRY(reader->Advance());
  }
  Job job;
  job.bytes = stored->bytes();
  job.id = stored->doc.id;
  job.make = [stored, chunking = chunking_] { return CheckDocument(*stored, chunking); };
  return job;
}

AddProgress StoreSource::progress() const { return progress_; }

std::vector<StoreSource::Holding> StoreSource::holdings() const {
  std::vector<Holding> holdings;
  for (const auto& reader : readers_) {
    holdings.push_back({reader->path(), reader->counts().docs, reader->counts().chunks});
  }
  return holdings;
}

}  // namespace recall
