// Implements the public interface: opens stores, and passes requests to DatabaseState.

#include "query/database/database.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "index/embed/factory/builtin_embedders.h"
#include "index/write/ingest/ingest.h"
#include "index/write/training/shared_model.h"
#include "query/compat/recall01/store_migration.h"
#include "query/database/database_state.h"
#include "query/maintenance/backup.h"
#include "query/maintenance/doctor.h"
#include "query/maintenance/inspect.h"
#include "query/maintenance/model_of_store.h"
#include "query/rql/rql.h"
#include "storage/postgres/postgres_address.h"

namespace recall {
namespace {

// Notes that OpenOptions::hide_private hides do not satisfy it.
constexpr std::string_view kNotPrivate =
    "(doc.kind != 'note' OR doc.meta.sensitivity IS NULL OR doc.meta.sensitivity != 'private')";

// Parses OpenOptions::scope. Returns: nullopt for "". Errors: InvalidArgument, with a position.
Result<std::optional<FilterExpr>> ParseScope(const std::string& text) {
  if (text.empty()) return std::nullopt;
  auto scope = ParseFilter(text);
  if (!scope) return Fail(scope.error());
  if (const auto compiled = CompiledFilter::Compile(*scope, WallClockNanos()); !compiled) {
    return Fail(ErrorAt(text, compiled.error()));
  }
  return *std::move(scope);
}

// Makes an empty store by `create`: Store::Create or Store::CreateIn, with all but the first
// argument.
template <typename Create>
Result<std::unique_ptr<Store>> MakeStore(const CreateOptions& options, const Create& create) {
  // Reject an unknown embedder before the file is created.
  RECALL_TRY(CheckEmbedder(options.embedder, options.dim));
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
  settings.signature_bits = VectorGeometry(settings.dim, options.ann_seed).padded_dim();
  settings.signature_seed = options.ann_seed;
  settings.notes_dir = options.notes_dir;
  const uint32_t first_dim = settings.embedder == kLsaEmbedder ? 0 : settings.dim;
  return create(settings, StoreOptions(), first_dim);
}

// Makes a store with the model of another one.
Result<std::unique_ptr<Database>> CreateWithModel(const std::string& path, CreateOptions options) {
  if (options.embedder != kLsaEmbedder) {
    return Fail(Status::InvalidArgument("only the embedder lsa has a model to adopt, not " +
                                        options.embedder));
  }
  RECALL_ASSIGN(const SharedModel model, ReadModelOf(options.model_of));
  options.dim = model.dim;
  options.ann_seed = model.seed;
  RECALL_TRY(MakeStoreWithModel(path, model, [&](const UnfinishedFile* file) {
    return MakeStore(options, [&](const auto&... how) {
      return file != nullptr ? Store::CreateIn(*file, how...) : Store::Create(path, how...);
    });
  }));
  return Database::Open(path, {.rankers = options.rankers});
}

}  // namespace

bool IsServerAddress(std::string_view store) { return IsPostgresAddress(store); }

// ---- Public interface -------------------------------------------------------------------------

Database::Database(std::unique_ptr<DatabaseState> impl) : impl_(std::move(impl)) {}
Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::Create(const std::string& path,
                                                   const CreateOptions& options) {
  if (!options.model_of.empty()) return CreateWithModel(path, options);
  const auto create = [&](const auto&... how) { return Store::Create(path, how...); };
  RECALL_ASSIGN(auto store, MakeStore(options, create));
  auto impl = std::make_unique<DatabaseState>(
      std::move(store), OpenOptions{.rankers = options.rankers}, std::nullopt);
  return std::unique_ptr<Database>(new Database(std::move(impl)));
}

Result<std::unique_ptr<Database>> Database::Open(const std::string& path,
                                                 const OpenOptions& options) {
  auto scope = ParseScope(options.scope);
  if (!scope) return Fail(scope.error().WithContext("the scope"));
  RECALL_ASSIGN(auto store, Store::Open(path, {.read_only = options.read_only,
                                               .busy_timeout_ms = options.busy_timeout_ms,
                                               .on_long_wait = options.on_long_wait,
                                               .before_migration = options.before_upgrade,
                                               .enable_mapping = options.enable_mapping,
                                               .verify_pages = options.verify_pages,
                                               .verified_directory = options.verified_directory,
                                               .flush_vectors = options.flush_vectors,
                                               .lender = options.lender}));
  if (!IsKnownTokenizer(store->settings().tokenizer_version)) {
    return Fail(Status::Unsupported(path + " was indexed with tokenizer version " +
                                        std::to_string(store->settings().tokenizer_version) +
                                        ", this program has versions 1 to " +
                                        std::to_string(kTokenizerVersion),
                                    "use the version of recall that created the store, or create a "
                                    "new store and add the files again"));
  }
  if (!VectorGeometry::Supports(store->settings().dim)) {
    return Fail(Status::Unsupported(
        path + ": meta.dim is " + std::to_string(store->settings().dim) +
            ", but vectors have 8 to 4096 dimensions",
        "use the version of recall that created the store, or restore the store from a backup"));
  }
  std::optional<FilterExpr> note_scope;
  if (options.hide_private) {
    const std::string both = options.scope.empty()
                                 ? std::string(kNotPrivate)
                                 : "(" + options.scope + ") AND " + std::string(kNotPrivate);
    RECALL_ASSIGN(note_scope, ParseScope(both));
  }
  auto impl = std::make_unique<DatabaseState>(std::move(store), options, *std::move(scope),
                                              std::move(note_scope));
  return std::unique_ptr<Database>(new Database(std::move(impl)));
}

Result<AddReport> Database::Add(const AddRequest& request, const AddProgressFn& progress) {
  return impl_->Add(request, progress);
}
Result<CaptureReport> Database::Capture(const CaptureRequest& request,
                                        const CaptureProgressFn& progress) {
  return impl_->Capture(request, progress);
}
Result<PushReport> Database::Push(const PushRequest& request) { return impl_->Push(request); }

Result<PullReport> Database::Pull(const PullRequest& request) { return impl_->Pull(request); }

Result<ForgetReport> Database::Forget(const ForgetRequest& request) {
  return impl_->Forget(request);
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
Result<HintResponse> Database::Hints(const HintRequest& request) { return impl_->Hints(request); }
Result<SimilarResponse> Database::Similar(const SimilarRequest& request) {
  return impl_->Similar(request);
}
Result<GetResponse> Database::Get(const GetRequest& request) { return impl_->Get(request); }
Result<std::vector<Result<GetResponse>>> Database::GetAll(const std::vector<std::string>& targets,
                                                          GetRequest request) {
  return impl_->GetAll(targets, std::move(request));
}
Result<SaveReport> Database::Save(const SaveRequest& request) { return impl_->Save(request); }
Result<RetireReport> Database::Retire(const RetireRequest& request) {
  return impl_->Retire(request);
}
Result<LinkReport> Database::Link(const LinkRequest& request) { return impl_->Link(request); }
Result<LinkReport> Database::LinkNear(const NearLinksRequest& request) {
  return impl_->LinkNear(request);
}
Result<UnlinkReport> Database::Unlink(const UnlinkRequest& request) {
  return impl_->Unlink(request);
}
Result<StatesReport> Database::States(const StatesRequest& request) {
  return impl_->States(request);
}
Result<LinksReport> Database::Links(const LinksRequest& request) { return impl_->Links(request); }

Result<RelatedResponse> Database::Related(const RelatedRequest& request) {
  return impl_->Related(request);
}

Result<HintUseReport> Database::HintUse(const HintUseRequest& request) {
  return impl_->HintUse(request);
}
Result<UseReport> Database::Use(const UseRequest& request) { return impl_->Use(request); }
Result<ReviewReport> Database::Review(const ReviewRequest& request) {
  return impl_->Review(request);
}
Result<DueReport> Database::Due(const DueRequest& request) { return impl_->Due(request); }
Result<SuggestReport> Database::Suggest(const SuggestRequest& request) {
  return impl_->Suggest(request);
}
Result<SettleReport> Database::Settle(const SettleRequest& request) {
  return impl_->Settle(request);
}
Result<StaleReport> Database::Stale(const StaleRequest& request) { return impl_->Stale(request); }
Result<QueryResponse> Database::Query(const QueryRequest& request) { return impl_->Query(request); }
Status Database::Query(const QueryRequest& request, const QueryReader& read) {
  return internal::ToStatus(impl_->Query(request, read));
}
Result<QueryResponse> Database::List(const ListRequest& request) { return impl_->List(request); }
Result<GrepResponse> Database::Grep(const GrepRequest& request) { return impl_->Grep(request); }
Result<SymbolsResponse> Database::Symbols(const SymbolsRequest& request) {
  return impl_->Symbols(request);
}
Result<ReferencesResponse> Database::References(const ReferencesRequest& request) {
  return impl_->References(request);
}
Result<MapResponse> Database::Map(const MapRequest& request) { return impl_->Map(request); }
Result<ExportReport> Database::Export(const ExportRequest& request, const ExportSink& sink,
                                      const AddProgressFn& progress) {
  return impl_->Export(request, sink, progress);
}
Result<ImportReport> Database::Import(const ImportRequest& request, const AddProgressFn& progress) {
  return impl_->Import(request, progress);
}
Result<MergeReport> Database::Merge(const MergeRequest& request, const AddProgressFn& progress) {
  return impl_->Merge(request, progress);
}
Result<MigrateReport> Database::Migrate(const MigrateRequest& request,
                                        const AddProgressFn& progress,
                                        const std::atomic<bool>* cancel) {
  const std::atomic<bool> never = false;
  const std::atomic<bool>& cancelled = cancel != nullptr ? *cancel : never;
  RECALL_ASSIGN(const auto migration, StoreMigration::Begin(request, &cancelled));
  const auto create = [&](const auto&... how) {
    return Store::CreateIn(migration->new_file(), how...);
  };
  RECALL_ASSIGN(auto store, MakeStore(migration->settings(), create));
  auto database = std::make_unique<DatabaseState>(std::move(store), OpenOptions(), std::nullopt);
  MigrateReport report;
  auto filled = database->Fill(migration->source(), cancelled, progress);
  const bool interrupted =
      filled ? filled->cancelled : filled.error().code() == StatusCode::kCancelled;
  if (interrupted) return Fail(Status::Cancelled("interrupted; the old store is unchanged"));
  if (!filled) return Fail(filled.error());
  report.import = *std::move(filled);
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
                                      const DoctorProgressFn& progress,
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
Result<EmbedReport> Database::Embed(const EmbedRequest& request, const EmbedProgressFn& progress) {
  return impl_->Embed(request, progress);
}
Result<std::string> Database::CommitToken() { return impl_->CommitToken(); }
uint32_t Database::losses() const { return impl_->losses(); }
std::string Database::TakeWarning() { return impl_->TakeWarning(); }
const std::string& Database::uuid() const { return impl_->uuid(); }

Result<StatsReport> Database::Stats() { return impl_->Stats(); }
Result<std::optional<StoreSizes>> Database::Sizes() { return impl_->Sizes(); }
Result<AddReport> Database::Refresh(const RefreshRequest& request) {
  return impl_->Refresh(request);
}
std::vector<CheckedFile> Database::TakeCheckedFiles() { return impl_->TakeCheckedFiles(); }

void Database::Cancel() { impl_->Cancel(); }
const std::string& Database::path() const { return impl_->path(); }

bool AreAsChecked(const std::vector<CheckedFile>& files) {
  return std::ranges::all_of(
      files, [](const CheckedFile& file) { return StampOfFile(file.path) == file.stamp; });
}

bool StoreExists(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

Status CheckFilter(const std::string& filter) {
  const auto scope = ParseScope(filter);
  return scope ? Status() : scope.error();
}

}  // namespace recall
