// Implements the public interface: opens stores, begins the read transaction of each query, and
// passes requests to the folders that answer them.
//
// A query reads one commit, the newest or that of a snapshot token (Ask). The vector space of the
// commit is opened by the first query and kept for the next ones (FollowSpace), because reading an
// LSA model takes longer than a search. After documents were added, imported or merged, derived
// data is brought up to date in transactions of its own (BringUpToDate); a store without it is
// sound.

#include "query/database.h"

#include <algorithm>
#include <filesystem>
#include <type_traits>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/embed/factory/builtin_embedders.h"
#include "index/embed/factory/configured_embedders.h"
#include "index/search/lexical/salient_terms.h"
#include "index/search/ranker/ranker.h"
#include "index/write/derived/derived_data.h"
#include "index/write/ingest/ingest.h"
#include "index/write/local/local_snapshot.h"
#include "index/write/training/reembedding.h"
#include "query/add/documents/add.h"
#include "query/add/documents/rebuild.h"
#include "query/ask/answer/get.h"
#include "query/ask/answer/list.h"
#include "query/ask/answer/query.h"
#include "query/ask/answer/search.h"
#include "query/ask/answer/similar.h"
#include "query/ask/answer/symbols.h"
#include "query/ask/context/context.h"
#include "query/ask/rows/computed_fields.h"
#include "query/ask/rows/scope.h"
#include "query/ask/rows/scoped_snapshot.h"
#include "query/ask/rows/views.h"
#include "query/compat/recall01/store_migration.h"
#include "query/compat/registry/import_programs.h"
#include "query/exchange/export_documents.h"
#include "query/exchange/importer.h"
#include "query/exchange/note_export.h"
#include "query/exchange/store_source.h"
#include "query/maintenance/backup.h"
#include "query/maintenance/compact.h"
#include "query/maintenance/doctor.h"
#include "query/maintenance/inspect.h"
#include "query/maintenance/remove.h"
#include "query/maintenance/stats.h"
#include "query/memory/notes/links.h"
#include "query/memory/notes/reviews.h"
#include "query/memory/notes/save.h"
#include "query/memory/sessions/capture.h"
#include "query/memory/sessions/forget.h"
#include "query/memory/sharing/pull.h"
#include "query/memory/sharing/push.h"
#include "query/rql/rql.h"
#include "storage/base/thread_start.h"
#include "storage/history/snapshot_token.h"
#include "storage/postgres/postgres_address.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

// A cited text that was moved to another document is searched by this many bytes and words of it,
// among this many chunks.
constexpr size_t kMostSearchedText = 16 * 1024;
constexpr size_t kMostSearchedWords = 24;
constexpr size_t kMostSearchedChunks = 32;

// The number of notes that `save` says are near, and how many chunks are read to find each.
constexpr size_t kMostNearNotes = 6;  // one of them may be the note itself
constexpr size_t kNearChunksPerNote = 3;

// The number of documents per commit when Migrate fills the new store.
constexpr int64_t kFillBatchDocuments = 10'000;

size_t ThreadCount(uint32_t requested) { return requested > 0 ? requested : UsableCpus(); }

// The directory to which document paths are relative: that of the store, or the working directory
// if the store is on a server.
std::string RootOf(const std::string& store_path) {
  std::error_code error;
  if (IsServerAddress(store_path)) return fs::current_path(error).string();
  fs::path absolute = fs::absolute(store_path, error);
  if (error) absolute = store_path;
  return absolute.lexically_normal().parent_path().string();
}

Status CheckWeights(const std::optional<FusionWeights>& given) {
  const FusionWeights weights = given.value_or(FusionWeights());
  if (weights.lexical >= 0 && weights.semantic >= 0 && weights.lexical + weights.semantic > 0) {
    return {};
  }
  return Status::InvalidArgument("the weights of the retrievers must not be negative, nor both 0",
                                 "check bm25_weight and vector_weight");
}

Status CheckPage(const SearchRequest& request) {
  if (request.k == 0) return Status::InvalidArgument("k must be at least 1");
  return CheckWeights(request.weights);
}

Status CheckRequest(const SearchRequest& request) {
  RECALL_TRY(CheckPage(request));
  const bool by_vector =
      request.mode == SearchMode::kSemantic && !request.ranking.embedding.empty();
  if (request.newest) return Status::Ok();
  if (!by_vector && request.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return Status::InvalidArgument("the query is empty", "specify a query");
  }
  return Status::Ok();
}

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

AnswerFacts& FactsOf(AnswerFacts& response) { return response; }
AnswerFacts& FactsOf(ContextResponse& response) { return response.search; }

// Reports the progress of documents first, then that of derived data.
class IngestProgress final {
 public:
  explicit IngestProgress(const AddProgressFn& show) : show_(show) {}

  AddProgressFn documents() {
    return [this](const AddProgress& progress) { Show(last_ = progress); };
  }
  DerivedDataProgressFn catch_up() {
    return [this](const DerivedDataProgress& progress) {
      last_.catch_up = progress;
      Show(last_);
    };
  }
  void Finish() {
    last_.catch_up.reset();
    last_.finished = true;
    Show(last_);
  }

 private:
  void Show(const AddProgress& progress) const {
    if (show_) show_(progress);
  }

  const AddProgressFn& show_;
  AddProgress last_;
};

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
  settings.signature_bits = VectorSpace(settings.dim, options.ann_seed).padded_dim();
  settings.signature_seed = options.ann_seed;
  const uint32_t first_dim = settings.embedder == kLsaEmbedder ? 0 : settings.dim;
  return create(settings, StoreOptions(), first_dim);
}

}  // namespace

class Database::Impl final {
 public:
  // `scope`: documents that may be read; `note_scope`: the same, once the store has notes.
  Impl(std::unique_ptr<Store> store, const OpenOptions& options, std::optional<FilterExpr> scope,
       std::optional<FilterExpr> note_scope = {})
      : store_(std::move(store)),
        root_(RootOf(store_->path())),
        scope_(std::move(scope)),
        note_scope_(std::move(note_scope)),
        embedders_(options.embedders, &cancelled_),
        rankers_(options.rankers, &cancelled_),
        extractors_(options.extractors),
        on_stage_(options.on_stage) {}

  Result<AddReport> Add(const AddRequest& request, const AddProgressFn& progress);
  SessionDependencies ToolsOfSessions(uint32_t threads) const {
    return {store_.get(), &embedders_, root_, ThreadCount(threads), &cancelled_};
  }
  Result<CaptureReport> Capture(const CaptureRequest& request, const CaptureProgressFn& progress) {
    const SessionDependencies deps = ToolsOfSessions(request.threads);
    adding_ = true;
    auto report = RunCapture(deps, request, progress);
    adding_ = false;
    if (!report || request.dry_run || report->cancelled) return report;
    const bool wrote = report->captured + report->grown > 0;
    if (wrote) BringUpToDate({}, &report->warnings);
    return report;
  }
  Result<ForgetReport> Forget(const ForgetRequest& request) {
    return RunForget(ToolsOfSessions(0), request);
  }
  Result<PushReport> Push(const PushRequest& request) {
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, ""));
    const LocalSnapshot local(*transaction);
    RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
    return RunPush(*transaction, visible.snapshot().filters(),
                   Summarize(*transaction, *store_).snapshot, cancelled_, request);
  }
  Result<PullReport> Pull(const PullRequest& request) {
    const SessionDependencies deps = ToolsOfSessions(0);
    adding_ = true;
    auto report = RunPull(deps, request);
    adding_ = false;
    if (!report || request.dry_run || report->cancelled) return report;
    if (report->added + report->grown > 0) BringUpToDate({}, &report->warnings);
    return report;
  }
  Result<RemoveReport> Remove(const RemoveRequest& request) {
    return RunRemove(*store_, cancelled_, request, root_, note_scope_ ? note_scope_ : scope_);
  }

  Result<std::string> CommitToken() {
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, ""));
    return Summarize(*transaction, *store_).snapshot;
  }
  uint32_t losses() const { return store_->losses(); }
  Result<StatsReport> Stats() { return RunStats(*store_); }
  Result<StoreSizes> Sizes() { return RunSizes(*store_); }

  Result<SearchResponse> Search(const SearchRequest& request) {
    RECALL_TRY(CheckRequest(request));
    return AskWhole(request, [&](const Moment& now) {
      return RunSearch(now.snapshot, now.deps, request, now.token);
    });
  }

  Result<SimilarResponse> Similar(const SimilarRequest& request) {
    RECALL_TRY(CheckPage(request.search));
    return Ask(request.search.scope.snapshot, [&](const Moment& now) {
      return RunSimilar(now.snapshot, now.deps, request, now.token, root_);
    });
  }

  Result<ContextResponse> Context(const ContextRequest& request) {
    RECALL_TRY(CheckRequest(request.search));
    return AskWhole(request.search, [&](const Moment& now) {
      return RunContext(now.snapshot, now.deps, request, now.token);
    });
  }

  Result<QueryResponse> Query(const QueryRequest& request) {
    RECALL_TRY(CheckWeights(request.weights));
    return Ask(request.snapshot, [&](const Moment& now) {
      return RunQuery(now.snapshot, now.deps, request, now.token);
    });
  }

  Result<QueryResponse> List(const ListRequest& request) {
    RECALL_ASSIGN(const QueryRequest query, QueryOfList(request, root_));
    RECALL_ASSIGN(QueryResponse found, Query(query));
    if (found.total_hits > 0 || !NamesDocuments(request) || request.paths.empty()) return found;
    return Fail(Status::NotFound("the store has no document in '" + request.paths.front() + "'",
                                 "`recall ls` lists all documents"));
  }

  Result<SymbolsResponse> Symbols(const SymbolsRequest& request) {
    return Ask(request.scope.snapshot,
               [&](const Moment& now) { return FindSymbols(now.snapshot, request, now.token); });
  }

  Result<GetResponse> Get(const GetRequest& request) {
    RECALL_ASSIGN(auto found, GetAll({request.target}, request));
    return std::move(found.front());
  }

  Result<std::vector<Result<GetResponse>>> GetAll(const std::vector<std::string>& targets,
                                                  GetRequest request) {
    RECALL_TRY(CheckCommitToken(request.snapshot));
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, request.snapshot));
    const LocalSnapshot local(*transaction);
    RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
    const SimilarTextSearch search = [&](const std::string& text) {
      return FindSimilarText(*transaction, visible.snapshot(), text);
    };
    ComputedFields computed(visible.snapshot(), WallClockNanos());
    std::vector<Result<GetResponse>> answers;
    for (const std::string& target : targets) {
      request.target = target;
      auto answer = RunGet(visible.snapshot().texts(), request, root_, search, extractors_);
      if (answer) {
        RECALL_TRY(AddComputed(visible.snapshot(), request.computed_fields, computed, answer->doc));
        PartFields parts(visible.snapshot().texts());
        RECALL_TRY(AddParts(visible.snapshot(), request.computed_fields, parts, answer->doc,
                            answer->chunk));
      }
      answers.push_back(std::move(answer));
    }
    return answers;
  }

  Result<SaveReport> Save(const SaveRequest& request) {
    RECALL_ASSIGN(PlannedNote plan, PlanNote(request));
    RECALL_ASSIGN(std::vector<NearDocument> near, FindNear(plan.compared_text, kMostNearNotes));
    RECALL_ASSIGN(SaveReport report, WriteNotes<SaveReport>([&](const NoteDependencies& deps) {
                    return RunSave(deps, request, std::move(plan), std::move(near));
                  }));
    if (!request.dry_run) BringUpToDate({}, &report.warnings);
    return report;
  }

  Result<RetireReport> Retire(const RetireRequest& request) {
    return WriteNotes<RetireReport>(
        [&](const NoteDependencies& deps) { return RunRetire(deps, request); });
  }

  Result<LinkReport> Link(const LinkRequest& request) {
    return RunLink(LinkDependencies(), request);
  }
  Result<UnlinkReport> Unlink(const UnlinkRequest& request) {
    return RunUnlink(LinkDependencies(), request);
  }
  Result<LinkReport> LinkNear(const NearLinksRequest& request);
  Result<UseReport> Use(const UseRequest& request) { return RunUse(LinkDependencies(), request); }
  Result<ReviewReport> Review(const ReviewRequest& request) {
    return RunReview(LinkDependencies(), request);
  }

  Result<LinksReport> Links(const LinksRequest& request) {
    return ReadNotes<LinksReport>(request.snapshot,
                                  [&](const Snapshot& snapshot, const std::string&) {
                                    return RunLinks(snapshot, request, root_);
                                  });
  }
  Result<DueReport> Due(const DueRequest& request) {
    return ReadNotes<DueReport>(request.scope.snapshot,
                                [&](const Snapshot& snapshot, const std::string& token) {
                                  return RunDue(snapshot, request, token);
                                });
  }
  Result<StaleReport> Stale(const StaleRequest& request) {
    return ReadNotes<StaleReport>(request.scope.snapshot,
                                  [&](const Snapshot& snapshot, const std::string& token) {
                                    return RunStale(snapshot, request, token);
                                  });
  }
  Result<StatesReport> States(const StatesRequest& request) {
    return ReadNotes<StatesReport>(
        request.snapshot,
        [&](const Snapshot& snapshot, const std::string&) { return RunStates(snapshot, request); });
  }

  Result<ExportReport> Export(const ExportRequest& request, const ExportSink& sink,
                              const AddProgressFn& progress) {
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, request.scope.snapshot));
    RECALL_ASSIGN(const auto space, EmbeddingSpace::Open(*transaction));
    const LocalSnapshot local(*transaction);
    RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
    const TransferDependencies deps{store_.get(), space, &cancelled_};
    if (request.layout == ExportLayout::kNotes || request.layout == ExportLayout::kGraph) {
      return ExportNotes(*transaction, visible.snapshot(), deps, request, sink, progress);
    }
    return ExportDocuments(*transaction, visible.snapshot().filters(), deps, request, sink,
                           progress);
  }

  Result<ImportReport> Import(const ImportRequest& request, const AddProgressFn& progress) {
    RECALL_ASSIGN(const ImportProgram* const program, FindImportProgram(request.program));
    RECALL_ASSIGN(const auto space, OpenSpace(*store_, &embedders_));
    IngestProgress shown(progress);
    adding_ = true;
    auto report = program != nullptr && program->makes_sessions()
                      ? program->import_sessions(ToolsOfSessions(0), request)
                      : ImportFile(request, {store_.get(), space, &cancelled_}, ThreadCount(0),
                                   shown.documents());
    adding_ = false;
    if (report && !request.dry_run && !report->cancelled) {
      BringUpToDate({.progress = shown.catch_up()}, &report->warnings);
    }
    return report;
  }

  Result<MergeReport> Merge(const MergeRequest& request, const AddProgressFn& progress);

  Result<CompactReport> Compact(const CompactRequest& request, const CompactProgressFn& progress) {
    return RunCompact(*store_, cancelled_, request, progress);
  }

  Result<EmbedReport> Embed(const EmbedRequest& request, const EmbedProgressFn& progress) {
    ReembeddingOptions options;
    options.embedder = request.embedder;
    options.again = request.again;
    options.threads = static_cast<uint32_t>(ThreadCount(request.threads));
    adding_ = true;
    auto done = Reembed(*store_, &embedders_, cancelled_, options, progress);
    adding_ = false;
    if (!done) return Fail(done.error());
    return EmbedReport{done->space.embedder, done->space.version, done->space.dim,
                       done->chunks,         done->resumed,       done->already};
  }

  // Fills a store that no other process uses yet. Commits in batches, so that its write-ahead log
  // stays small, and computes all derived data, models included, before the store replaces the old
  // one.
  Result<ImportReport> Fill(ImportSource& source, const std::atomic<bool>& cancelled,
                            const AddProgressFn& progress) {
    ImportOptions options;
    options.batch_docs = kFillBatchDocuments;
    options.keeps_origins = true;
    options.threads = ThreadCount(0);
    RECALL_ASSIGN(const auto space, OpenSpace(*store_, &embedders_));
    IngestProgress shown(progress);
    auto report =
        ImportDocuments(source, {store_.get(), space, &cancelled}, options, shown.documents());
    if (!report || report->cancelled) return report;
    RECALL_TRY(UpdateDerivedData(
        *store_, cancelled,
        {.threads = static_cast<uint32_t>(options.threads), .progress = shown.catch_up()}));
    return report;
  }

  void Cancel() {
    cancelled_.store(true, std::memory_order_relaxed);
    // While documents are added or imported, SQLite is not interrupted: the flag ends the operation
    // at the end of the current batch or rolls it back.
    if (!adding_.load(std::memory_order_relaxed)) store_->Interrupt();
  }

  const std::string& path() const { return store_->path(); }

 private:
  // The state of the store that a query reads.
  struct Moment {
    const Snapshot& snapshot;
    const QueryDependencies& deps;
    const std::string& token;  // the token of the commit
  };

  // Answers with `run`, and adds the facts about the store.
  template <typename Run>
  std::invoke_result_t<Run, const Moment&> Ask(const std::string& snapshot, Run run) {
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, snapshot));
    StoreSummary summary = Summarize(*transaction, *store_);
    RECALL_TRY(FollowSpace(*transaction));
    const LocalSnapshot local(*transaction);
    RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
    const QueryDependencies deps(visible.snapshot(), space_, &tokenizer_, &rankers_, on_stage_);
    RECALL_ASSIGN(auto response, run({visible.snapshot(), deps, summary.snapshot}));
    FactsOf(response).store = std::move(summary);
    return response;
  }

  // Answers like Ask. If the ranking is by documents, which needs the vectors of all their chunks,
  // what is missing is made before, as far as the store can be written.
  template <typename Run>
  std::invoke_result_t<Run, const Moment&> AskWhole(const SearchRequest& request, Run run) {
    const bool needs_all = request.ranking.fusion == FusionMethod::kGrouped && !request.newest &&
                           request.mode != SearchMode::kLexical;
    if (!needs_all || !request.scope.snapshot.empty()) return Ask(request.scope.snapshot, run);
    RebuiltParts rebuilt;
    const auto threads = static_cast<uint32_t>(ThreadCount(0));
    Status failed = TrainDueModel(*store_, cancelled_, threads, &rebuilt);
    auto response = Ask("", run);
    if (response && FactsOf(*response).chunks_without_vector > 0) {
      failed = RefillVectors(*store_, &embedders_, cancelled_, threads, &rebuilt);
      if (failed.ok()) response = Ask("", run);
    }
    if (response) ReportRebuilt(rebuilt, failed, FactsOf(*response));
    return response;
  }

  // The tools of writes that need no vectors.
  NoteDependencies LinkDependencies() {
    return {store_.get(), nullptr, &embedders_, root_, note_scope_ ? &note_scope_ : &scope_,
            &cancelled_};
  }
  // Calls run(deps) with the dependencies of writes that need vectors. A note needs few terms of the
  // model, and these are read as they are needed.
  template <typename Report, typename Run>
  Result<Report> WriteNotes(Run run) {
    {
      RECALL_ASSIGN(const auto transaction, store_->BeginRead());
      RECALL_TRY(FollowSpace(*transaction));
      RECALL_TRY(space_->LoadCoarseQuantizer(StoredModels(transaction->connection())));
    }
    NoteDependencies deps = LinkDependencies();
    deps.space = space_;
    return run(deps);
  }

  // Answers with `run`, which needs no vectors, and adds the facts about the store.
  template <typename Report, typename Run>
  Result<Report> ReadNotes(const std::string& snapshot, Run run) {
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, snapshot));
    const LocalSnapshot local(*transaction);
    RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
    StoreSummary summary = Summarize(*transaction, *store_);
    RECALL_ASSIGN(Report report, run(visible.snapshot(), summary.snapshot));
    report.store = std::move(summary);
    return report;
  }

  // The notes nearest to a text by the cosine of their chunks, each once, nearest first.
  Result<std::vector<NearDocument>> FindNear(const std::string& text, size_t most) {
    std::vector<NearDocument> near;
    if (text.empty()) return near;
    SearchRequest request;
    request.text = text;
    request.mode = SearchMode::kSemantic;
    request.lexical_mode = LexicalMode::kLiteral;
    request.scope.filter = "doc.kind = 'note'";
    request.k = kNearChunksPerNote * most;
    request.threads = 1;
    RECALL_ASSIGN(const SearchResponse found, Ask("", [&](const Moment& now) {
                    if (now.deps.embedding->is_user_supplied())
                      return Result<SearchResponse>(SearchResponse());
                    return RunSearch(now.snapshot, now.deps, request, now.token);
                  }));
    for (const SearchHit& hit : found.hits) {
      const auto same = [&](const NearDocument& other) { return other.doc.path == hit.doc.path; };
      if (near.size() < most && std::ranges::none_of(near, same)) {
        near.push_back({hit.doc, hit.score});
      }
    }
    return near;
  }

  // `get` reads one commit, so it takes no time as a snapshot.
  Status CheckCommitToken(const std::string& snapshot) const {
    if (snapshot.empty() || ParseSnapshotToken(store_->uuid(), snapshot)) return {};
    return Status::InvalidArgument("'" + snapshot + "' is not the token of a commit of this store",
                                   "use the snapshot of an answer, as in stats.snapshot");
  }

  // The chunks with the most salient words of `text`, best first.
  Result<std::vector<uint32_t>> FindSimilarText(const ReadTransaction& transaction,
                                                const Snapshot& snapshot, const std::string& text) {
    RECALL_TRY(FollowSpace(transaction));
    RECALL_ASSIGN(const auto indexes, snapshot.OpenIndexes(space_->vectors()));
    const size_t length = FloorToCharacter(text, kMostSearchedText);
    LexicalQuery query = ParseLiteralQuery(text.substr(0, length), tokenizer_);
    RECALL_ASSIGN(query, KeepSalientTerms(*indexes, std::move(query), kMostSearchedWords,
                                          indexes->removed(), Bitmap()));
    std::vector<uint32_t> chunks;
    if (query.Empty()) return chunks;
    RECALL_ASSIGN(const auto shown, snapshot.filters().Visible(FilterDomain::kChunks));
    RECALL_ASSIGN(const auto matches,
                  indexes->SearchLexical(query, {shown ? &*shown : nullptr, &indexes->removed()}));
    RECALL_ASSIGN(const auto hits, matches->Top(kMostSearchedChunks));
    for (const RetrieverHit& hit : hits) chunks.push_back(hit.chunk);
    return chunks;
  }

  // What may be read of a commit. The sets of the scope are kept for the next queries of the
  // commit: a scan of a hundred thousand documents takes longer than a search.
  Result<VisibleSnapshot> Visible(const Snapshot& all) {
    RECALL_ASSIGN(const std::optional<FilterExpr>* const scope, ScopeAt(all));
    if (!*scope) return VisibleSnapshot(all, nullptr);
    const int64_t commit = all.counts().commit_sequence;
    if (!scope_sets_ || scope_commit_ != commit || scope_sets_->depends_on_now) {
      RECALL_ASSIGN(ScopeSets sets, ScopeSets::Of(all.filters(), **scope));
      sets.hides_private_notes_only = !scope_;
      scope_sets_ = std::make_shared<const ScopeSets>(std::move(sets));
      scope_commit_ = commit;
    }
    return VisibleSnapshot(all, scope_sets_);
  }

  // The scope of a commit: a store without notes is read as without hide_private.
  Result<const std::optional<FilterExpr>*> ScopeAt(const Snapshot& all) const {
    if (!note_scope_) return &scope_;
    RECALL_ASSIGN(const bool has_notes, all.notes().HasNotes());
    return has_notes ? &note_scope_ : &scope_;
  }

  // Opens the vector space of the transaction's commit and keeps it open for the next query.
  Status FollowSpace(const ReadTransaction& transaction) {
    RECALL_ASSIGN(const SpaceRow* const row, transaction.space());
    if (space_ && space_->row() == *row) return Status::Ok();
    RECALL_ASSIGN(space_, EmbeddingSpace::Open(transaction, &embedders_));
    return Status::Ok();
  }

  void BringUpToDate(TrainingOptions options, std::vector<std::string>* warnings);

  std::unique_ptr<Store> store_;
  std::string root_;
  std::optional<FilterExpr> scope_;              // unset: all documents
  std::optional<FilterExpr> note_scope_;         // unset: scope_, with notes as well
  std::shared_ptr<const ScopeSets> scope_sets_;  // of the commit scope_commit_; null: of none
  int64_t scope_commit_ = 0;
  std::atomic<bool> cancelled_ = false;
  ConfiguredEmbedders embedders_;
  Rankers rankers_;
  const std::vector<UserExtractor> extractors_;
  const StageListener on_stage_;
  std::shared_ptr<EmbeddingSpace> space_;  // the space of the last query
  Tokenizer tokenizer_{store_->settings().tokenizer_version};
  std::atomic<bool> adding_ = false;
};

Result<AddReport> Database::Impl::Add(const AddRequest& request, const AddProgressFn& progress) {
  const uint64_t memory = request.memory_bytes.value_or(kDefaultMemory);
  if (memory < kLeastMemory) {
    return Fail(Status::InvalidArgument("an ingest needs at least 320MiB of memory",
                                        "set --memory-limit to 320MiB or more, or omit it"));
  }
  const AddDependencies deps{store_.get(), &embedders_, root_, ThreadCount(request.threads),
                             &cancelled_,  &extractors_};
  IngestProgress shown(progress);
  adding_ = true;
  auto report = RunAdd(deps, request, shown.documents());
  adding_ = false;
  if (!report) return report;
  if (!request.dry_run && !report->cancelled) {
    BringUpToDate(
        {.term_list_entries = PlanMemory(memory).term_list_entries, .progress = shown.catch_up()},
        &report->warnings);
  }
  shown.Finish();
  return report;
}

Result<LinkReport> Database::Impl::LinkNear(const NearLinksRequest& request) {
  if (!(request.least > 0 && request.least <= 1)) {
    return Fail(Status::InvalidArgument("the nearness of links is a number above 0, at most 1"));
  }
  std::vector<std::pair<std::string, std::string>> texts;  // paths and what they are compared by
  {
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, ""));
    const LocalSnapshot local(*transaction);
    RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
    RECALL_ASSIGN(texts, TextsToLink(visible.snapshot(), request.sources, root_));
  }
  std::vector<LinkRecord> links;
  const UnixNanos at = request.at.value_or(WallClockNanos());
  for (const auto& [path, text] : texts) {
    RECALL_ASSIGN(const auto near, FindNear(text, kMostNearLinks + 1));
    size_t made = 0;
    for (const NearDocument& other : near) {
      if (other.doc.path == path || other.score < request.least || made == kMostNearLinks) continue;
      links.push_back({.source = path,
                       .target = other.doc.path,
                       .relation = "related",
                       .weight = std::min(other.score, 1.0),
                       .origin = std::string(kNearLink),
                       .at = at});
      ++made;
    }
  }
  return WriteLinks(LinkDependencies(), std::move(links), request.dry_run);
}

Result<MergeReport> Database::Impl::Merge(const MergeRequest& request,
                                          const AddProgressFn& progress) {
  RECALL_ASSIGN(const auto space, OpenSpace(*store_, &embedders_));
  const TransferDependencies deps{store_.get(), space, &cancelled_};
  RECALL_ASSIGN(const auto source, StoreSource::Open(request.paths, deps));
  MergeReport report;
  for (const StoreSource::Holding& store : source->holdings()) {
    report.stores.push_back({store.path, store.docs, store.chunks});
  }
  ImportOptions options;
  options.batch_docs = request.batch_docs;
  options.dry_run = request.dry_run;
  options.threads = ThreadCount(0);
  IngestProgress shown(progress);
  adding_ = true;
  auto imported = ImportDocuments(*source, deps, options, shown.documents());
  adding_ = false;
  RECALL_ASSIGN(report.import, std::move(imported));
  if (!request.dry_run && !report.import.cancelled) {
    BringUpToDate({.progress = shown.catch_up()}, &report.import.warnings);
  }
  return report;
}

// An error here becomes a warning, because the documents are already committed.
void Database::Impl::BringUpToDate(TrainingOptions options, std::vector<std::string>* warnings) {
  options.threads = static_cast<uint32_t>(ThreadCount(0));
  const Status done = UpdateDerivedData(*store_, cancelled_, options);
  if (done.ok() || done.code() == StatusCode::kCancelled) return;
  warnings->push_back("the data derived from all texts was not updated: " +
                      std::string(done.message()));
}

bool IsServerAddress(std::string_view store) { return IsPostgresAddress(store); }

// ---- Public interface -------------------------------------------------------------------------

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::Create(const std::string& path,
                                                   const CreateOptions& options) {
  const auto create = [&](const auto&... how) { return Store::Create(path, how...); };
  RECALL_ASSIGN(auto store, MakeStore(options, create));
  auto impl = std::make_unique<Impl>(std::move(store), OpenOptions{.rankers = options.rankers},
                                     std::nullopt);
  return std::unique_ptr<Database>(new Database(std::move(impl)));
}

Result<std::unique_ptr<Database>> Database::Open(const std::string& path,
                                                 const OpenOptions& options) {
  auto scope = ParseScope(options.scope);
  if (!scope) return Fail(scope.error().WithContext("the scope"));
  RECALL_ASSIGN(auto store, Store::Open(path, {.read_only = options.read_only,
                                               .busy_timeout_ms = options.busy_timeout_ms,
                                               .on_long_wait = options.on_long_wait,
                                               .enable_mapping = options.enable_mapping,
                                               .verify_pages = options.verify_pages,
                                               .flush_vectors = options.flush_vectors}));
  if (!IsKnownTokenizer(store->settings().tokenizer_version)) {
    return Fail(Status::Unsupported(path + " was indexed with tokenizer version " +
                                        std::to_string(store->settings().tokenizer_version) +
                                        ", this program has versions 1 to " +
                                        std::to_string(kTokenizerVersion),
                                    "use the version of recall that created the store, or create a "
                                    "new store and add the files again"));
  }
  if (!VectorSpace::Supports(store->settings().dim)) {
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
  auto impl =
      std::make_unique<Impl>(std::move(store), options, *std::move(scope), std::move(note_scope));
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
Result<UseReport> Database::Use(const UseRequest& request) { return impl_->Use(request); }
Result<ReviewReport> Database::Review(const ReviewRequest& request) {
  return impl_->Review(request);
}
Result<DueReport> Database::Due(const DueRequest& request) { return impl_->Due(request); }
Result<StaleReport> Database::Stale(const StaleRequest& request) { return impl_->Stale(request); }
Result<QueryResponse> Database::Query(const QueryRequest& request) { return impl_->Query(request); }
Result<QueryResponse> Database::List(const ListRequest& request) { return impl_->List(request); }
Result<SymbolsResponse> Database::Symbols(const SymbolsRequest& request) {
  return impl_->Symbols(request);
}
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
  auto database = std::make_unique<Impl>(std::move(store), OpenOptions(), std::nullopt);
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

Result<StatsReport> Database::Stats() { return impl_->Stats(); }
Result<StoreSizes> Database::Sizes() { return impl_->Sizes(); }
void Database::Cancel() { impl_->Cancel(); }
const std::string& Database::path() const { return impl_->path(); }

bool StoreExists(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

Status CheckFilter(const std::string& filter) {
  const auto scope = ParseScope(filter);
  return scope ? Status() : scope.error();
}

}  // namespace recall
