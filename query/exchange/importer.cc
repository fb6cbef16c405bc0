// Imports documents with parallel workers and one writer.
//
// Checking, compressing and analysing documents takes most of the time and is independent for each
// document. Writing must be sequential. An ordered pipeline connects the two:
//
//   source.Next()  ->  queue  ->  worker: check, compare, compress, terms, vectors  ->  Apply()
//   main thread                   any number of threads, results in input order        main thread
//
// Whether a document must be written depends on the version in the store. The main thread looks it
// up by id before a document is submitted (if the id is known without parsing), so that a worker
// does not analyse an unchanged document. Apply() looks it up again in the write transaction. If
// the document now must be written but was not analysed, another process has changed it in the
// meantime, and the import fails with Busy.
//
// Invariants:
//   - The result does not depend on the number of threads, because results are applied in order.
//   - Documents are strictly ascending by path, so each path occurs once and no set of paths needs
//     to be remembered.
//   - The reported error is the first one in the file: an error of the source is kept until all
//     documents before it have been applied.
//   - Counts include committed work only.
//
// Memory: at most kInFlightBytes of source text and kInFlightDocuments, or one larger document.

#include "query/exchange/importer.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "index/base/text/text_fault.h"
#include "index/base/text/tokenizer.h"
#include "index/source/chunk/chunker.h"
#include "index/source/note/text_links.h"
#include "index/write/ingest/document_language.h"
#include "index/write/ingest/ingest.h"
#include "index/write/local/local_store.h"
#include "query/exchange/session_merge.h"
#include "storage/base/coding.h"
#include "storage/base/ordered_pipeline.h"
#include "storage/sessions/forgotten_table.h"
#include "storage/tables/supplied_vectors.h"
#include "storage/tables/text_grams.h"

namespace recall {
namespace {

using Outcome = PreparedDocument::Outcome;

// The maximum size of the documents in the pipeline. A larger document is processed alone.
constexpr int64_t kInFlightBytes = 32 << 20;
constexpr size_t kInFlightDocuments = 512;
// The minimum cosine of vectors of the same text and embedder, which differ only by rounding.
constexpr float kSameVector = 0.99f;

// Compares a document with the live document of the same path. A text that was reconstructed from
// chunks never replaces the original.
Outcome Compare(const DocRow& doc, const std::optional<DocRow>& live, uint32_t tokenizer_version) {
  if (!live) return Outcome::kAdded;
  if (doc.hash != live->hash) return Outcome::kUpdated;
  if (doc.parser != live->parser && doc.parser != kImportedParser) return Outcome::kUpdated;
  if (!doc.supplied_vector.empty() && doc.supplied_vector != live->supplied_vector)
    return Outcome::kUpdated;
  if (HasOtherTitleTokens(doc, *live, tokenizer_version)) return Outcome::kUpdated;
  if (doc.language != live->language) return Outcome::kUpdated;
  const bool same = doc.mtime == live->mtime && doc.tag == live->tag &&
                    doc.source == live->source && doc.meta == live->meta;
  return same ? Outcome::kUnchanged : Outcome::kRefreshed;
}

bool WritesText(Outcome outcome) {
  return outcome == Outcome::kAdded || outcome == Outcome::kUpdated;
}

// Decodes a float32 vector. Returns: nullopt if it does not have the dimension of the space.
std::optional<QuantizedVector> ReadEmbedding(const std::string& bytes, const VectorSpace& space) {
  if (bytes.size() != space.dim() * sizeof(float)) return std::nullopt;
  std::vector<float> vector(space.dim());
  for (size_t i = 0; i < vector.size(); ++i) {
    vector[i] =
        LoadLittle<float>(reinterpret_cast<const uint8_t*>(bytes.data()) + i * sizeof(float));
  }
  return space.Quantize(vector);
}

bool SameVector(const QuantizedVector& a, const QuantizedVector& b) {
  if (a.scale == 0 || b.scale == 0) return a.scale == b.scale;
  int64_t dot = 0;
  for (size_t i = 0; i < a.values.size(); ++i) dot += int64_t{a.values[i]} * b.values[i];
  return static_cast<float>(dot) * a.scale * b.scale >= kSameVector;
}

struct Job {
  ImportSource::Job source;
  std::optional<DocRow> live;  // set if the store has a live document with the same id
};

struct BuiltDocument {
  Status status;
  PreparedDocument prepared;  // terms and blocks are set only if it must be written
  SourcePlace place;
  int64_t bytes = 0;
  int64_t vectors_taken = 0;
  int64_t vectors_rebuilt = 0;
  ImportWarnings notes;
  DocumentRecords history;
  std::string session_text;  // of a session that is written
};

// The state of one worker. It is copyable because std::function requires that; copies share the
// builder.
class ImportWorker final {
 public:
  ImportWorker(const TransferDependencies& deps, bool dry_run)
      : settings_(deps.store->settings()),
        dry_run_(dry_run),
        terms_(std::make_shared<TermBuilder>(deps.space, settings_.tokenizer_version)) {}

  BuiltDocument operator()(Job job) {
    BuiltDocument built;
    built.bytes = job.source.bytes;
    Result<ImportedDocument> imported = job.source.make();
    job.source.make = nullptr;  // frees the document as it was read
    built.status = imported ? Build(*imported, job.live, &built) : imported.error();
    return built;
  }

 private:
  Status Build(ImportedDocument& imported, const std::optional<DocRow>& live,
               BuiltDocument* built) {
    PreparedDocument& prepared = built->prepared;
    prepared.doc = std::move(imported.doc);
    built->place = std::move(imported.place);
    built->notes = std::move(imported.notes);
    built->history = std::move(imported.history);
    SettleNameSpan(&imported);
    SettleSuppliedVector(&imported, built);
    // A document of an older export or store has no language.
    if (prepared.doc.language == DocLanguage()) {
      SettleLanguage(imported.text, {}, live, &prepared.doc);
    }
    prepared.spans = std::move(imported.spans);
    const bool known = live && live->path == prepared.doc.path;
    prepared.outcome =
        known ? Compare(prepared.doc, live, settings_.tokenizer_version) : Outcome::kAdded;
    if (!WritesText(prepared.outcome)) return Status::Ok();
    const auto chunks = static_cast<int64_t>(prepared.spans.size());
    (imported.vectors.empty() ? built->vectors_rebuilt : built->vectors_taken) = chunks;
    // A session may have to be united with another version (Importer::UniteSession).
    if (IsSessionDocument(prepared.doc)) built->session_text = imported.text;
    if (dry_run_) return Status::Ok();

    const bool compressed = !imported.text_blocks.empty();
    prepared.text_blocks =
        compressed ? std::move(imported.text_blocks) : CompressText(imported.text);
    if (prepared.doc.parser == ParserName(Parser::kCode)) {
      prepared.doc.grams = MakeTextGrams(imported.text);
    }
    if (prepared.doc.parser == kNoteParser) {
      prepared.links = LinksOfNote(imported.text, prepared.doc.meta);
    }
    prepared.space = terms_->space().row().id;
    if (imported.text.size() > kLargeDocumentBytes) {
      prepared.text = std::move(imported.text);
      prepared.vectors = std::move(imported.vectors);
      return Status::Ok();
    }
    RECALL_ASSIGN(prepared.terms, terms_->Build(prepared.doc, imported.text, prepared.spans, 0,
                                                prepared.spans.size(), imported.vectors));
    CompareVectors(imported.embeddings, built);
    return Status::Ok();
  }

  // A document without text has a chunk or none, as the version of the store's tokenizer demands.
  void SettleNameSpan(ImportedDocument* imported) const {
    if (CountTokens(imported->text) > 0) return;
    const size_t wanted = HasNameSpans(settings_.tokenizer_version) ? 1 : 0;
    if (imported->spans.size() == wanted) return;
    imported->spans.clear();
    imported->vectors.clear();
    imported->embeddings.clear();
    if (wanted > 0) AddNameSpan(&imported->spans);
  }

  // In a store with user-supplied embeddings, the vector of the document replaces those of its
  // chunks.
  void SettleSuppliedVector(ImportedDocument* imported, BuiltDocument* built) const {
    DocRow& doc = built->prepared.doc;
    if (doc.supplied_vector.empty()) return;
    const auto given = DecodeSuppliedVector(doc.supplied_vector);
    const bool takes_it = settings_.embedder == kUserSuppliedEmbedder;
    const bool fits = takes_it && given && given->size() == settings_.dim;
    if (takes_it && !fits) built->notes.Add(ImportWarning::kVectorSize, "'" + doc.path + "'");
    if (!fits) doc.supplied_vector.clear();
    auto vectors = terms_->SuppliedVectors(doc, imported->spans.size());
    if (!vectors.empty()) imported->vectors = std::move(vectors);
  }

  // Compares the vectors of the file with those of the store's embedder. The published format does
  // not record the embedder, so they may be of another one with the same dimension.
  void CompareVectors(const std::vector<std::string>& embeddings, BuiltDocument* built) const {
    if (settings_.embedder == kLsaEmbedder) return;
    const std::string where = "'" + built->prepared.doc.path + "'";
    for (size_t i = 0; i < embeddings.size(); ++i) {
      if (embeddings[i].empty()) continue;
      const auto given = ReadEmbedding(embeddings[i], terms_->space().vectors());
      if (!given) {
        built->notes.Add(ImportWarning::kVectorSize, where);
      } else if (!SameVector(*given, built->prepared.terms.vectors[i])) {
        built->notes.Add(ImportWarning::kForeignVectors, where);
      } else {
        ++built->vectors_taken;
        --built->vectors_rebuilt;
      }
    }
  }

  StoreSettings settings_;
  bool dry_run_;
  std::shared_ptr<TermBuilder> terms_;
};

using Pipeline = OrderedPipeline<Job, BuiltDocument, ImportWorker>;

// The main thread: feeds the workers and writes their results.
class Importer final {
 public:
  Importer(ImportSource& source, const TransferDependencies& deps, const ImportOptions& options,
           const AddProgressFn& progress, WritableStore& store, Pipeline& pipeline)
      : source_(source),
        deps_(deps),
        options_(options),
        progress_(progress),
        store_(store),
        pipeline_(pipeline) {}

  Result<ImportReport> Run() {
    const Status outcome = ImportAll();
    EndTransaction();
    if (outcome.code() == StatusCode::kCancelled) {
      committed_.cancelled = true;
    } else {
      RECALL_TRY(outcome);
    }
    committed_.lines = source_.lines();
    ImportWarnings notes = source_.notes();
    notes.Merge(notes_);
    committed_.warnings = notes.Sentences();
    return std::move(committed_);
  }

 private:
  Status ImportAll() {
    {
      RECALL_ASSIGN(const auto transaction, deps_.store->BeginRead());
      RECALL_ASSIGN(forgotten_, ReadForgotten(transaction->connection()));
    }
    RECALL_TRY(BeginTransaction());
    for (;;) {
      if (deps_.cancel->load(std::memory_order_relaxed)) return Status::Cancelled("interrupted");
      RECALL_TRY(Feed());
      if (pipeline_.pending() == 0) break;
      RECALL_TRY(Apply(pipeline_.Take()));
      progress_.Update(source_.progress());
    }
    // An error of the source follows its last valid document.
    RECALL_TRY(source_status_);
    return CommitTransaction();
  }

  // Submits documents up to the limits of the pipeline. An error of the source is kept until the
  // documents before it are applied, so that the first error of the file is reported.
  Status Feed() {
    while (!at_end_) {
      const size_t pending = pipeline_.pending();
      if (pending > 0 && (in_flight_bytes_ >= kInFlightBytes || pending >= kInFlightDocuments)) {
        break;
      }
      auto next = source_.Next();
      at_end_ = !next || !*next;
      if (!next) source_status_ = next.error();
      if (at_end_) break;
      Job job{std::move(**next), std::nullopt};
      if (job.source.id) {
        RECALL_ASSIGN(auto same, present().FindDocsById(ToHex(*job.source.id), 1));
        if (!same.empty()) job.live = std::move(same[0]);
        if (job.live) RECALL_TRY(LoadSuppliedVector(&*job.live));
      }
      in_flight_bytes_ += job.source.bytes;
      pipeline_.Submit(std::move(job));
    }
    return Status::Ok();
  }

  Status LoadSuppliedVector(DocRow* live) const {
    if (store_.settings().embedder != kUserSuppliedEmbedder) return Status::Ok();
    RECALL_ASSIGN(live->supplied_vector, present().ReadSuppliedVector(live->row));
    return Status::Ok();
  }

  Status Apply(BuiltDocument built) {
    in_flight_bytes_ -= built.bytes;
    RECALL_TRY(built.status);
    RECALL_TRY(CheckOrder(built));
    PreparedDocument& prepared = built.prepared;
    RECALL_ASSIGN(auto live, present().FindDoc(prepared.doc.path));
    SettleOrigin(live, &prepared.doc);
    if (live) RECALL_TRY(LoadSuppliedVector(&*live));
    if (IsForgotten(prepared.doc)) {
      notes_.Add(ImportWarning::kForgotten, Quoted(prepared.doc.path));
      return Status::Ok();
    }
    Outcome outcome = Compare(prepared.doc, live, store_.settings().tokenizer_version);
    if (live && outcome == Outcome::kUpdated && IsSessionDocument(*live) &&
        !built.session_text.empty()) {
      RECALL_TRY(UniteSession(*live, &built));
      outcome = Compare(prepared.doc, live, store_.settings().tokenizer_version);
    }
    const bool built_for_it = WritesText(prepared.outcome) || !WritesText(outcome);
    if (!built_for_it) return ChangedMeanwhile(prepared.doc.path);
    prepared.outcome = outcome;
    notes_.Merge(built.notes);
    Count(built, &pending_);
    const bool writes = outcome != Outcome::kUnchanged;
    documents_written_ += writes;
    if (options_.dry_run) return Status::Ok();
    if (writes) RECALL_TRY(batch_->Put(prepared));
    RECALL_ASSIGN(const bool merged, batch_->Merge(prepared.doc.path, built.history));
    documents_written_ += merged && !writes;
    if (options_.batch_docs == 0 || documents_written_ < options_.batch_docs) return Status::Ok();
    RECALL_TRY(CommitTransaction());
    return BeginTransaction();
  }

  bool IsForgotten(const DocRow& doc) const {
    return IsSessionDocument(doc) && forgotten_.contains(doc.path);
  }

  // Unites a session with the version that the store has. Done here, because the path of a document
  // is only known once a worker has parsed it; sessions that differ are few.
  Status UniteSession(const DocRow& live, BuiltDocument* built) {
    auto imported = std::make_shared<ImportedDocument>();
    imported->doc = std::move(built->prepared.doc);
    imported->text = std::move(built->session_text);
    imported->spans = std::move(built->prepared.spans);
    imported->place = std::move(built->place);
    imported->history = std::move(built->history);
    RECALL_ASSIGN(const std::string text,
                  present().ReadText(live, 0, static_cast<uint64_t>(live.size)));
    const StoreSettings& settings = store_.settings();
    UniteWith(text, live.meta.value_or(""), {settings.chunk_tokens, settings.overlap_tokens},
              imported.get());
    imported->doc.origin = live.origin;
    if (!uniting_) uniting_.emplace(deps_, options_.dry_run);
    Job job{{.bytes = built->bytes, .id = {}, .make = [imported] { return *imported; }}, live};
    BuiltDocument united = (*uniting_)(std::move(job));
    RECALL_TRY(united.status);
    united.notes.Merge(built->notes);
    *built = std::move(united);
    return Status::Ok();
  }

  // The text that the store already has is still that of its file, if it came from one.
  void SettleOrigin(const std::optional<DocRow>& live, DocRow* doc) const {
    if (live && live->hash == doc->hash) {
      doc->origin = live->origin;
    } else if (!options_.keeps_origins) {
      doc->origin = kImportOrigin;
    }
  }

  static Status ChangedMeanwhile(const std::string& path) {
    return Status::Busy("another process changed " + path + " during the import",
                        "run the same import again; it continues from there");
  }

  // Documents in ascending order cannot repeat, so no set of paths needs to be kept.
  Status CheckOrder(const BuiltDocument& built) {
    const std::string& path = built.prepared.doc.path;
    if (!last_path_ || *last_path_ < path) {
      last_path_ = path;
      return Status::Ok();
    }
    return built.place.Fault(StatusCode::kInvalidArgument,
                             "the document " + Quoted(path) +
                                 " does not sort after the preceding document " +
                                 Quoted(*last_path_) + "",
                             "documents of an export are sorted by path, byte by byte, each once");
  }

  static void Count(const BuiltDocument& built, ImportReport* report) {
    const auto chunks = static_cast<int64_t>(built.prepared.spans.size());
    switch (built.prepared.outcome) {
      case Outcome::kAdded:
        ++report->added;
        break;
      case Outcome::kUpdated:
        ++report->updated;
        break;
      case Outcome::kRefreshed:
        ++report->refreshed;
        return;
      default:
        ++report->unchanged;
        return;
    }
    report->chunks += chunks;
    report->vectors_taken += built.vectors_taken;
    report->vectors_rebuilt += built.vectors_rebuilt;
  }

  // ---- The transaction --------------------------------------------------------------------------

  const TextsAndFacts& present() const {
    return options_.dry_run ? reading_->texts() : batch_->view().texts();
  }

  Status BeginTransaction() {
    documents_written_ = 0;
    if (options_.dry_run) {
      RECALL_ASSIGN(reading_, store_.BeginRead());
    } else {
      RECALL_ASSIGN(batch_, store_.BeginBatch());
    }
    return Status::Ok();
  }

  void EndTransaction() {
    reading_.reset();
    batch_.reset();
  }

  // Commits, unless nothing changed. Counts of the batch enter the report only now.
  Status CommitTransaction() {
    if (documents_written_ > 0 && !options_.dry_run) RECALL_TRY(batch_->Commit());
    EndTransaction();
    committed_ = pending_;
    return Status::Ok();
  }

  ImportSource& source_;
  const TransferDependencies& deps_;
  const ImportOptions& options_;
  TransferProgress progress_;
  WritableStore& store_;
  Pipeline& pipeline_;
  std::unique_ptr<const Snapshot> reading_;  // of a dry run
  std::unique_ptr<WriteBatch> batch_;        // of any other
  int64_t documents_written_ = 0;            // since the transaction began
  bool at_end_ = false;
  Status source_status_;
  int64_t in_flight_bytes_ = 0;
  std::optional<std::string> last_path_;
  std::set<std::string> forgotten_;
  std::optional<ImportWorker> uniting_;  // of sessions
  ImportWarnings notes_;
  ImportReport pending_;
  ImportReport committed_;
};

}  // namespace

Result<ImportReport> ImportDocuments(ImportSource& source, const TransferDependencies& deps,
                                     const ImportOptions& options, const AddProgressFn& progress) {
  LocalStore store(deps.store, deps.space);
  Pipeline pipeline(std::max<size_t>(options.threads, 1),
                    [&] { return ImportWorker(deps, options.dry_run); });
  return Importer(source, deps, options, progress, store, pipeline).Run();
}

}  // namespace recall
