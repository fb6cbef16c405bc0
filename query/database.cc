#include "query/database.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <thread>
#include <unordered_set>
#include <utility>

#include "index/filter/tombstones.h"
#include "index/ingest/batch_writer.h"
#include "index/ingest/ingest.h"
#include "index/ingest/walker.h"
#include "index/maintain/learning.h"
#include "query/backup.h"
#include "query/compact.h"
#include "query/context/context.h"
#include "query/doctor.h"
#include "query/inspect.h"
#include "query/query.h"
#include "query/scope.h"
#include "query/search.h"
#include "query/similar.h"
#include "query/targets.h"
#include "query/transfer/export_documents.h"
#include "query/transfer/importer.h"
#include "query/transfer/store_migration.h"
#include "query/views.h"
#include "storage/sqlite/schema.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

// Progress is shown to people: ten times a second is smooth.
constexpr int64_t kProgressMicros = 100'000;
constexpr int64_t kFillBatchDocuments = 10'000;

size_t ThreadCount(uint32_t requested) {
  return requested > 0 ? requested : std::max(1u, std::thread::hardware_concurrency());
}

// The directory that holds the store: what document paths are relative to.
std::string RootOf(const std::string& store_path) {
  std::error_code error;
  fs::path absolute = fs::absolute(store_path, error);
  if (error) absolute = store_path;
  return absolute.lexically_normal().parent_path().string();
}

Status CheckWeights(const std::optional<FusionWeights>& given) {
  const FusionWeights weights = given.value_or(FusionWeights());
  if (weights.lexical >= 0 && weights.semantic >= 0 && weights.lexical + weights.semantic > 0) {
    return {};
  }
  return Status::InvalidArgument("the weights of the legs must not be negative, nor all zero",
                                 "check bm25_weight and vector_weight");
}

Status CheckPage(const SearchRequest& request) {
  if (request.k == 0) return Status::InvalidArgument("k must be at least 1");
  return CheckWeights(request.weights);
}

Status CheckRequest(const SearchRequest& request) {
  RECALL_TRY(CheckPage(request));
  if (request.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return Status::InvalidArgument("the query is empty", "say what to look for");
  }
  return Status::Ok();
}

Status MissingPath(const std::string& path) {
  return Status::NotFound("no such file or directory: " + path, "nothing was added");
}

int64_t FileSize(const std::string& path) {
  struct stat file {};
  return ::stat(path.c_str(), &file) == 0 ? file.st_size : 0;
}

}  // namespace

class Database::Impl final {
 public:
  explicit Impl(std::unique_ptr<Store> store)
      : store_(std::move(store)), root_(RootOf(store_->path())) {}

  Result<AddReport> Add(const AddRequest& request, const AddProgressFn& progress);
  Result<RemoveReport> Remove(const RemoveRequest& request);
  Result<StatsReport> Stats();

  Result<SearchResponse> Search(const SearchRequest& request) {
    RECALL_TRY(CheckRequest(request));
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, request.scope.snapshot));
    StoreSummary summary = Summarize(*transaction, *store_);
    RECALL_ASSIGN(const auto tools, Tools(*transaction));
    RECALL_ASSIGN(SearchResponse response,
                  RunSearch(*transaction, *tools, request, summary.snapshot));
    response.store = std::move(summary);
    return response;
  }

  Result<SimilarResponse> Similar(const SimilarRequest& request) {
    RECALL_TRY(CheckPage(request.search));
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, request.search.scope.snapshot));
    StoreSummary summary = Summarize(*transaction, *store_);
    RECALL_ASSIGN(const auto tools, Tools(*transaction));
    RECALL_ASSIGN(SimilarResponse response,
                  RunSimilar(*transaction, *tools, request, summary.snapshot, root_));
    response.store = std::move(summary);
    return response;
  }

  Result<ContextResponse> Context(const ContextRequest& request) {
    RECALL_TRY(CheckRequest(request.search));
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, request.search.scope.snapshot));
    StoreSummary summary = Summarize(*transaction, *store_);
    RECALL_ASSIGN(const auto tools, Tools(*transaction));
    RECALL_ASSIGN(ContextResponse response,
                  RunContext(*transaction, *tools, request, summary.snapshot));
    response.search.store = std::move(summary);
    return response;
  }

  Result<QueryResponse> Query(const QueryRequest& request) {
    RECALL_TRY(CheckWeights(request.weights));
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, request.snapshot));
    StoreSummary summary = Summarize(*transaction, *store_);
    RECALL_ASSIGN(const auto tools, Tools(*transaction));
    RECALL_ASSIGN(QueryResponse response,
                  RunQuery(*transaction, *tools, request, summary.snapshot));
    response.store = std::move(summary);
    return response;
  }

  Result<GetResponse> Get(const GetRequest& request) {
    RECALL_ASSIGN(const auto transaction, store_->BeginRead());
    return RunGet(*transaction, request, root_);
  }

  Result<ExportReport> Export(const ExportRequest& request, const ExportSink& sink,
                              const AddProgressFn& progress) {
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, request.scope.snapshot));
    RECALL_ASSIGN(const auto space, EmbeddingSpace::Open(*transaction));
    return ExportDocuments(*transaction, {store_.get(), space, &cancelled_}, request, sink,
                           progress);
  }

  Result<ImportReport> Import(const ImportRequest& request, const AddProgressFn& progress) {
    RECALL_ASSIGN(const auto space, OpenSpace(*store_));
    adding_ = true;
    auto report = ImportFile(request, {store_.get(), space, &cancelled_}, ThreadCount(0), progress);
    adding_ = false;
    if (report && !request.dry_run && !report->cancelled) Learn(&report->warnings);
    return report;
  }

  Result<CompactReport> Compact(const CompactRequest& request, const CompactProgressFn& progress) {
    return RunCompact(*store_, cancelled_, request, progress);
  }

  // For a store nobody else knows yet: commits now and then, so that its WAL stays small.
  Result<ImportReport> Fill(ImportSource& source, const std::atomic<bool>& cancelled,
                            const AddProgressFn& progress) {
    ImportOptions options;
    options.batch_docs = kFillBatchDocuments;
    options.threads = ThreadCount(0);
    RECALL_ASSIGN(const auto space, OpenSpace(*store_));
    auto report = ImportDocuments(source, {store_.get(), space, &cancelled}, options, progress);
    if (report && !report->cancelled) Learn(&report->warnings);
    return report;
  }

  void Cancel() {
    cancelled_.store(true, std::memory_order_relaxed);
    // While adding or importing, the batch in progress is finished or dropped whole by the flag
    // alone.
    if (!adding_.load(std::memory_order_relaxed)) store_->Interrupt();
  }

  const std::string& path() const { return store_->path(); }

 private:
  // The space of the transaction's commit stays open for the next question.
  Result<std::unique_ptr<QueryTools>> Tools(const ReadTransaction& transaction) {
    RECALL_ASSIGN(const SpaceRow row, transaction.space());
    if (!space_ || space_->row() != row) {
      RECALL_ASSIGN(space_, EmbeddingSpace::Open(transaction));
    }
    return std::make_unique<QueryTools>(transaction, space_, &tokenizer_);
  }
  BuildOptions MakeBuildOptions(const AddRequest& request) const;
  void Learn(std::vector<std::string>* warnings);
  // The documents a request names; what it does not find and how it filtered goes to the report.
  Result<std::vector<DocRow>> FindRemovals(const WriteTransaction& transaction,
                                           const RemoveRequest& request, RemoveReport& report);

  std::unique_ptr<Store> store_;
  std::string root_;
  std::shared_ptr<EmbeddingSpace> space_;  // of the last question
  Tokenizer tokenizer_;
  std::atomic<bool> cancelled_ = false;
  std::atomic<bool> adding_ = false;
};

BuildOptions Database::Impl::MakeBuildOptions(const AddRequest& request) const {
  const StoreSettings& settings = store_->settings();
  BuildOptions options;
  options.store_root = root_;
  options.parser = request.parser;
  options.chunking = {settings.chunk_tokens, settings.overlap_tokens};
  options.extract_meta = request.extract_meta;
  options.mtime_only = request.mtime_only;
  options.dry_run = request.dry_run;
  options.max_file_bytes = request.max_file_bytes;
  options.tag = request.tag;
  options.source = request.source;
  return options;
}

Result<AddReport> Database::Impl::Add(const AddRequest& request, const AddProgressFn& progress) {
  for (const auto* patterns : {&request.globs, &request.ignores}) {
    for (const std::string& pattern : *patterns) RECALL_TRY(CheckGlob(pattern));
  }
  WalkResult walk = FindFiles(
      request.paths, root_, {request.globs, request.ignores, request.ignore_files, store_->path()});
  if (!walk.missing.empty()) return Fail(MissingPath(walk.missing.front()));

  AddProgress shown;
  shown.files_total = static_cast<int64_t>(walk.files.size());
  for (const FoundFile& file : walk.files) shown.bytes_total += file.size;
  int64_t last_shown = SteadyMicros();
  const IngestProgressFn on_progress = [&](int64_t files, int64_t bytes) {
    if (!progress || SteadyMicros() - last_shown < kProgressMicros) return;
    last_shown = SteadyMicros();
    shown.files_done = files;
    shown.bytes_done = bytes;
    progress(shown);
  };

  adding_ = true;
  auto counts = IngestFiles(*store_, walk.files, MakeBuildOptions(request),
                            ThreadCount(request.threads), cancelled_, on_progress);
  adding_ = false;
  if (!counts) return Fail(counts.error());

  AddReport report;
  report.found = static_cast<int64_t>(walk.files.size());
  report.added = counts->added;
  report.updated = counts->updated;
  report.refreshed = counts->refreshed;
  report.unchanged = counts->unchanged;
  report.skipped = counts->skipped;
  report.failed = counts->failed;
  report.chunks = counts->chunks;
  report.bytes = counts->bytes;
  report.cancelled = counts->cancelled;
  report.warnings = std::move(walk.warnings);
  std::move(counts->warnings.begin(), counts->warnings.end(), std::back_inserter(report.warnings));
  if (!request.dry_run && !report.cancelled) Learn(&report.warnings);
  return report;
}

// What was added is added, whatever comes of this.
void Database::Impl::Learn(std::vector<std::string>* warnings) {
  const auto learnt =
      LearnIfDue(*store_, cancelled_, {.threads = static_cast<uint32_t>(ThreadCount(0))});
  if (learnt || learnt.error().code() == StatusCode::kCancelled) return;
  warnings->push_back("what ranking knows of the texts was not brought up to date: " +
                      std::string(learnt.error().message()));
}

Result<std::vector<DocRow>> Database::Impl::FindRemovals(const WriteTransaction& transaction,
                                                         const RemoveRequest& request,
                                                         RemoveReport& report) {
  std::vector<DocRow> docs;
  std::unordered_set<int64_t> seen;
  for (const std::string& target : request.targets) {
    RECALL_ASSIGN(const auto found, ResolveTarget(transaction, target, root_));
    if (found.empty()) report.not_found.push_back(target);
    for (const DocRow& doc : found) {
      if (seen.insert(doc.row).second) docs.push_back(doc);
    }
  }
  if (request.scope.filter.empty()) return docs;
  RECALL_ASSIGN(const ResolvedScope scope,
                ResolveScope(transaction, request.scope, Summarize(transaction, *store_).snapshot,
                             FilterDomain::kDocs));
  report.filter = scope.filter;
  report.as_of = scope.as_of;
  report.warnings = scope.warnings;
  for (const uint32_t row : scope.set->Values()) {
    RECALL_ASSIGN(DocRow doc, ReadDoc(transaction, row));
    docs.push_back(std::move(doc));
  }
  std::ranges::sort(docs, {}, &DocRow::path);
  return docs;
}

Result<RemoveReport> Database::Impl::Remove(const RemoveRequest& request) {
  if (!request.targets.empty() && !request.scope.filter.empty()) {
    return Fail(Status::InvalidArgument("targets and a filter exclude each other",
                                        "say `doc.path GLOB 'dir/**'` in the filter instead"));
  }
  RECALL_ASSIGN(auto transaction, store_->BeginWrite());
  RemoveReport report;
  RECALL_ASSIGN(const std::vector<DocRow> docs, FindRemovals(*transaction, request, report));
  for (const DocRow& doc : docs) report.removed.push_back({ToHex(doc.id), doc.path});
  if (request.dry_run || (docs.empty() && !request.purge)) return report;

  RECALL_ASSIGN(Bitmap tombstones, ReadTombstones(*transaction));
  for (const DocRow& doc : docs) RECALL_TRY(RemoveDocument(*transaction, doc, tombstones));
  RECALL_TRY(WriteTombstones(*transaction, tombstones));
  RECALL_TRY(transaction->Commit());
  transaction.reset();
  if (!request.purge) return report;
  auto compacted = RunCompact(*store_, cancelled_, {.keep_nanos = 0}, {});
  if (!compacted) {
    return Fail(compacted.error().WithContext("removed, but not all of it is deleted yet"));
  }
  report.purged_docs = compacted->purged_docs;
  report.purged_chunks = compacted->purged_chunks;
  return report;
}

Result<StatsReport> Database::Impl::Stats() {
  RECALL_ASSIGN(const auto transaction, store_->BeginRead());
  RECALL_ASSIGN(const Bitmap tombstones, ReadTombstones(*transaction));
  RECALL_ASSIGN(const auto segments, transaction->Segments());
  RECALL_ASSIGN(const auto tail, transaction->Tail());
  const StoreSettings& settings = store_->settings();
  StatsReport report;
  report.store = Summarize(*transaction, *store_);
  report.path = store_->path();
  report.uuid = store_->uuid();
  report.embedder = settings.embedder;
  report.dim = settings.dim;
  report.chunk_tokens = settings.chunk_tokens;
  report.overlap_tokens = settings.overlap_tokens;
  report.ann_bits = settings.signature_bits;
  report.ann_seed = settings.signature_seed;
  RECALL_ASSIGN(report.removed_docs, transaction->connection().QueryInt(
                                         "SELECT count(*) FROM doc WHERE removed_seq IS NOT NULL"));
  report.removed_chunks = static_cast<int64_t>(tombstones.Count());
  report.segments = static_cast<int64_t>(segments.size());
  for (const auto& segment : segments) {
    report.segment_vectors += segment->info().vectors;
    report.mapped_segments += segment->mapped() ? 1 : 0;
  }
  report.tail_vectors = static_cast<int64_t>(tail.size());
  report.schema_version = SchemaVersion();
  report.wal_bytes = FileSize(store_->path() + "-wal");
  return report;
}

// ---- The front door ---------------------------------------------------------------------------

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::Create(const std::string& path,
                                                   const CreateOptions& options) {
  // Refuses an unknown embedder before there is a file.
  const bool learns = options.embedder == kLearntEmbedder;
  RECALL_TRY(MakeEmbedder(learns ? "hash" : options.embedder, options.dim));
  if (options.chunk_tokens < 1 || options.overlap_tokens >= options.chunk_tokens) {
    return Fail(Status::InvalidArgument(
        "overlap_tokens must be smaller than chunk_tokens, and chunk_tokens at least 1"));
  }
  StoreSettings settings;
  settings.embedder = options.embedder;
  settings.dim = options.dim;
  settings.chunk_tokens = options.chunk_tokens;
  settings.overlap_tokens = options.overlap_tokens;
  settings.tokenizer_version = kTokenizerVersion;
  settings.signature_bits = VectorSpace(settings.dim, options.ann_seed).padded_dim();
  settings.signature_seed = options.ann_seed;
  RECALL_ASSIGN(auto store, Store::Create(path, settings, {}, learns ? 0 : settings.dim));
  auto impl = std::make_unique<Impl>(std::move(store));
  return std::unique_ptr<Database>(new Database(std::move(impl)));
}

Result<std::unique_ptr<Database>> Database::Open(const std::string& path,
                                                 const OpenOptions& options) {
  RECALL_ASSIGN(auto store, Store::Open(path, {.read_only = options.read_only,
                                               .busy_timeout_ms = options.busy_timeout_ms,
                                               .on_long_wait = options.on_long_wait,
                                               .enable_mapping = options.enable_mapping,
                                               .flush_vectors = options.flush_vectors}));
  if (store->settings().tokenizer_version != kTokenizerVersion) {
    return Fail(Status::Unsupported(
        path + " was indexed with tokenizer version " +
            std::to_string(store->settings().tokenizer_version) + ", this program has version " +
            std::to_string(kTokenizerVersion),
        "use the program that made the store, or make a new store and add the files again"));
  }
  if (!VectorSpace::Supports(store->settings().dim)) {
    return Fail(Status::Unsupported(
        path + ": meta.dim is " + std::to_string(store->settings().dim) +
            ", but vectors have 8 to 4096 dimensions",
        "use the program that made the store, or restore the store from a backup"));
  }
  const StoreSettings& settings = store->settings();
  if (settings.embedder != kLearntEmbedder) {
    RECALL_TRY(MakeEmbedder(settings.embedder, settings.dim));
  }
  auto impl = std::make_unique<Impl>(std::move(store));
  return std::unique_ptr<Database>(new Database(std::move(impl)));
}

Result<AddReport> Database::Add(const AddRequest& request, const AddProgressFn& progress) {
  return impl_->Add(request, progress);
}
Result<RemoveReport> Database::Remove(const RemoveRequest& request) {
  return impl_->Remove(request);
}
Result<SearchResponse> Database::Search(const SearchRequest& request) {
  return impl_->Search(request);
}
Result<ContextResponse> Database::Context(const ContextRequest& request) {
  return impl_->Context(request);
}
Result<SimilarResponse> Database::Similar(const SimilarRequest& request) {
  return impl_->Similar(request);
}
Result<GetResponse> Database::Get(const GetRequest& request) { return impl_->Get(request); }
Result<QueryResponse> Database::Query(const QueryRequest& request) { return impl_->Query(request); }
Result<ExportReport> Database::Export(const ExportRequest& request, const ExportSink& sink,
                                      const AddProgressFn& progress) {
  return impl_->Export(request, sink, progress);
}
Result<ImportReport> Database::Import(const ImportRequest& request, const AddProgressFn& progress) {
  return impl_->Import(request, progress);
}
Result<MigrateReport> Database::Migrate(const MigrateRequest& request,
                                        const AddProgressFn& progress,
                                        const std::atomic<bool>* cancel) {
  const std::atomic<bool> never = false;
  const std::atomic<bool>& cancelled = cancel != nullptr ? *cancel : never;
  RECALL_ASSIGN(const auto migration, StoreMigration::Begin(request, &cancelled));
  RECALL_ASSIGN(auto database, Create(migration->new_path(), migration->settings()));
  MigrateReport report;
  RECALL_ASSIGN(report.import, database->impl_->Fill(migration->source(), cancelled, progress));
  if (report.import.cancelled) {
    return Fail(Status::Cancelled("interrupted; the old store is as it was"));
  }
  RECALL_ASSIGN(const StatsReport stats, database->Stats());
  report.store = stats.store;
  report.generation = migration->generation();
  database.reset();
  RECALL_TRY(migration->Finish());
  return report;
}
Result<CompactReport> Database::Compact(const CompactRequest& request,
                                        const CompactProgressFn& progress) {
  return impl_->Compact(request, progress);
}
Result<DoctorReport> Database::Doctor(const DoctorRequest& request,
                                      const UpkeepProgressFn& progress,
                                      const std::atomic<bool>* cancel) {
  return RunDoctor(request, progress, cancel);
}
Result<BackupReport> Database::Backup(const BackupRequest& request,
                                      const UpkeepProgressFn& progress,
                                      const std::atomic<bool>* cancel) {
  return RunBackup(request, progress, cancel);
}
Result<InspectReport> Database::Inspect(const InspectRequest& request,
                                        const std::atomic<bool>* cancel) {
  return RunInspect(request, cancel);
}
Result<StatsReport> Database::Stats() { return impl_->Stats(); }
void Database::Cancel() { impl_->Cancel(); }
const std::string& Database::path() const { return impl_->path(); }

bool StoreExists(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

}  // namespace recall
