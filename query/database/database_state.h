#pragma once

// What is behind query/database/database.h: an open store, and what its operations keep between
// calls.
//
// A query reads one commit, the newest or that of a snapshot token (Ask). The vector space of the
// commit is opened by the first query and kept for the next ones (FollowSpace), because reading an
// LSA model takes longer than a search. After documents were added, imported or merged, derived
// data is brought up to date in transactions of its own (BringUpToDate); a store without it is
// sound.

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "index/embed/factory/configured_embedders.h"
#include "index/search/ranker/ranker.h"
#include "index/write/derived/derived_data.h"
#include "index/write/local/local_snapshot.h"
#include "query/add/documents/rebuild.h"
#include "query/add/documents/refresh_plan.h"
#include "query/ask/answer/search.h"
#include "query/ask/rows/scoped_snapshot.h"
#include "query/ask/rows/views.h"
#include "query/ask/sources/source_checker.h"
#include "query/exchange/importer.h"
#include "query/maintenance/compact.h"
#include "query/maintenance/remove.h"
#include "query/maintenance/stats.h"
#include "query/memory/notes/links.h"
#include "query/memory/notes/reviews.h"
#include "query/memory/notes/save.h"
#include "query/memory/sessions/capture.h"
#include "query/memory/sessions/forget.h"
#include "query/types/add_types.h"
#include "query/types/context_types.h"
#include "query/types/exchange_types.h"
#include "query/types/get_types.h"
#include "query/types/grep_types.h"
#include "query/types/hint_types.h"
#include "query/types/list_types.h"
#include "query/types/maintenance_types.h"
#include "query/types/map_types.h"
#include "query/types/note_types.h"
#include "query/types/query_types.h"
#include "query/types/reference_types.h"
#include "query/types/refresh_types.h"
#include "query/types/related_types.h"
#include "query/types/search_types.h"
#include "query/types/session_types.h"
#include "query/types/sharing_types.h"
#include "query/types/store_types.h"
#include "query/types/suggest_types.h"
#include "storage/history/snapshot_token.h"

namespace recall {

// Returns: the directory to which document paths are relative: that of the store, or the working
// directory if the store is on a server.
std::string RootOf(const std::string& store_path);

// Returns: `requested`, or the number of usable processors if that is 0.
size_t ThreadCount(uint32_t requested);

inline AnswerFacts& FactsOf(AnswerFacts& response) { return response; }
inline AnswerFacts& FactsOf(ContextResponse& response) { return response.search; }

// Implements each operation of Database on one open store. Not thread-safe, except Cancel.
class DatabaseState final {
 public:
  // `scope` selects the documents that may be read, while the store has no notes. If `note_scope`
  // is set, it is used in place of `scope` once there are notes.
  DatabaseState(std::unique_ptr<Store> store, const OpenOptions& options,
                std::optional<FilterExpr> scope, std::optional<FilterExpr> note_scope = {})
      : store_(std::move(store)),
        root_(RootOf(store_->path())),
        scope_(std::move(scope)),
        note_scope_(std::move(note_scope)),
        embedders_(options.embedders, &cancelled_),
        rankers_(options.rankers, &cancelled_),
        extractors_(options.extractors),
        passwords_(options.passwords),
        sources_below_(options.sources_below),
        on_stage_(options.on_stage) {}

  Result<AddReport> Add(const AddRequest& request, const AddProgressFn& progress);
  Result<AddReport> Refresh(const RefreshRequest& given);
  SessionDependencies DepsOfSessions(uint32_t threads) const {
    return {store_.get(), &embedders_, root_, ThreadCount(threads), &cancelled_};
  }
  Result<CaptureReport> Capture(const CaptureRequest& request, const CaptureProgressFn& progress);
  Result<ForgetReport> Forget(const ForgetRequest& request) {
    return RunForget(DepsOfSessions(0), request);
  }
  Result<PushReport> Push(const PushRequest& request);
  Result<PullReport> Pull(const PullRequest& request);
  Result<RemoveReport> Remove(const RemoveRequest& request) {
    return RunRemove(*store_, cancelled_, request, root_, note_scope_ ? note_scope_ : scope_);
  }

  Result<std::string> CommitToken();
  uint32_t losses() const { return store_->losses(); }
  std::string TakeWarning() { return store_->TakeWarning(); }
  const std::string& uuid() const { return store_->uuid(); }
  Result<StatsReport> Stats();
  Result<std::optional<StoreSizes>> Sizes() { return RunSizes(*store_); }

  Result<SearchResponse> Search(const SearchRequest& request);

  Result<SimilarResponse> Similar(const SimilarRequest& request);

  Result<ContextResponse> Context(const ContextRequest& request);

  Result<HintResponse> Hints(const HintRequest& request);

  Result<QueryResponse> Query(const QueryRequest& request);
  // Returns: the answer without rows, with all timings.
  Result<QueryResponse> Query(const QueryRequest& request, const QueryReader& read);

  Result<QueryResponse> List(const ListRequest& request);

  Result<GrepResponse> Grep(const GrepRequest& request);
  Result<ReferencesResponse> References(const ReferencesRequest& request);
  Result<SymbolsResponse> Symbols(const SymbolsRequest& request);
  Result<MapResponse> Map(const MapRequest& request);

  Result<GetResponse> Get(const GetRequest& request);

  Result<std::vector<Result<GetResponse>>> GetAll(const std::vector<std::string>& targets,
                                                  GetRequest request);

  Result<SaveReport> Save(const SaveRequest& request);

  Result<RetireReport> Retire(const RetireRequest& request);

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

  Result<LinksReport> Links(const LinksRequest& request);
  Result<RelatedResponse> Related(const RelatedRequest& request);
  Result<HintUseReport> HintUse(const HintUseRequest& request);
  Result<DueReport> Due(const DueRequest& request);
  Result<StaleReport> Stale(const StaleRequest& request);
  Result<StatesReport> States(const StatesRequest& request);
  Result<SuggestReport> Suggest(const SuggestRequest& request);
  Result<SettleReport> Settle(const SettleRequest& request);

  Result<ExportReport> Export(const ExportRequest& request, const ExportSink& sink,
                              const AddProgressFn& progress);

  Result<ImportReport> Import(const ImportRequest& request, const AddProgressFn& progress);

  Result<MergeReport> Merge(const MergeRequest& request, const AddProgressFn& progress);

  Result<CompactReport> Compact(const CompactRequest& request, const CompactProgressFn& progress);

  Result<EmbedReport> Embed(const EmbedRequest& request, const EmbedProgressFn& progress);

  // Fills a store that no other process uses yet. Commits in batches, so that its write-ahead log
  // stays small, and computes all derived data, models included, before the store replaces the old
  // one.
  Result<ImportReport> Fill(ImportSource& source, const std::atomic<bool>& cancelled,
                            const AddProgressFn& progress);

  std::vector<CheckedFile> TakeCheckedFiles() { return std::exchange(checked_files_, {}); }

  void Cancel();

  const std::string& path() const { return store_->path(); }

 private:
  // The state of the store that a query reads.
  struct Moment {
    const Snapshot& snapshot;
    const QueryDependencies& deps;
    const std::string& token;  // the token of the commit
    const StoreSummary& store;
  };

  // Answers with `run`, and adds the facts about the store.
  template <typename Run>
  std::invoke_result_t<Run, const Moment&> Ask(const std::string& snapshot, Run run) {
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, snapshot));
    RECALL_TRY(FollowSpace(*transaction));
    const LocalSnapshot local(*transaction);
    RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
    StoreSummary summary = Summarize(*transaction, visible);
    RECALL_TRY(SetSearchedLanguages(visible.snapshot(), tokenizer_));
    QueryDependencies deps(visible.snapshot(), space_, &tokenizer_, &rankers_, on_stage_);
    SourceChecker sources(visible.snapshot().texts(), RootOfFiles());
    deps.sources = &sources;
    RECALL_ASSIGN(auto response, run({visible.snapshot(), deps, summary.snapshot, summary}));
    if (cancelled_) return Fail(Status::Cancelled(path() + ": interrupted"));
    Remember(sources);
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
    if (!response) return response;
    // All chunks got a vector, but hidden ones may not be counted.
    rebuilt.vectors = std::min(rebuilt.vectors, FactsOf(*response).store.chunks);
    ReportRebuilt(rebuilt, failed, FactsOf(*response));
    return response;
  }

  // What an answer says about its store: what may be told of it.
  StoreSummary Summarize(const ReadTransaction& transaction, const VisibleSnapshot& visible) const;
  std::string TokenOf(const ReadTransaction& transaction) const;
  // The directory of the files of the store; "" if the store is on a server, which is asked from
  // many directories and machines.
  std::string RootOfFiles() const;
  void Remember(const SourceChecker& sources);

  // What writes that need no vectors are given.
  NoteDependencies LinkDependencies();
  // Calls run(deps) with the dependencies of writes that need vectors. A note needs few terms of
  // the model, and these are read as they are needed. Calls it again if another process has
  // activated a space before `run` could write: the model of a young store is trained with each
  // doubling.
  template <typename Report, typename Run>
  Result<Report> WriteNotes(const Run& run) {
    constexpr int kMostAttempts = 32;
    for (int attempt = 1;; ++attempt) {
      {
        RECALL_ASSIGN(const auto transaction, store_->BeginRead());
        RECALL_TRY(FollowSpace(*transaction));
        RECALL_TRY(
            internal::ToStatus(space_->LoadVectors(StoredModels(transaction->connection()))));
      }
      NoteDependencies deps = LinkDependencies();
      deps.space = space_;
      Result<Report> report = run(deps);
      const bool overtaken = !report && report.error().code() == StatusCode::kBusy;
      if (!overtaken || attempt == kMostAttempts) return report;
      RECALL_ASSIGN(const auto transaction, store_->BeginRead());
      RECALL_TRY(FollowSpace(*transaction));
      if (space_ == deps.space) return report;
    }
  }

  // Answers with `run`, which needs no vectors, and adds the facts about the store.
  template <typename Report, typename Run>
  Result<Report> ReadNotes(const std::string& snapshot, Run run) {
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, snapshot));
    const LocalSnapshot local(*transaction);
    RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
    StoreSummary summary = Summarize(*transaction, visible);
    RECALL_ASSIGN(Report report, run(visible.snapshot(), summary.snapshot));
    report.store = std::move(summary);
    return report;
  }

  // The notes nearest to one, each once, and those that it contradicts.
  Result<NearAnswer> FindNear(const ComparedNote& note, size_t most);

  // `get` reads one commit, so it takes no time as a snapshot.
  Status CheckCommitToken(const std::string& snapshot) const;

  // The chunks with the most salient words of `text`, best first.
  Result<std::vector<uint32_t>> FindSimilarText(const ReadTransaction& transaction,
                                                const Snapshot& snapshot, const std::string& text);

  // What may be read of a commit. The sets of the scope are kept for the next queries of the
  // commit: a scan of a hundred thousand documents takes longer than a search.
  Result<VisibleSnapshot> Visible(const Snapshot& all);

  // The scope of a commit: a store without notes is read as without hide_private.
  Result<const std::optional<FilterExpr>*> ScopeAt(const Snapshot& all) const;

  // Opens the vector space of the transaction's commit and keeps it open for the next query.
  Status FollowSpace(const ReadTransaction& transaction);

  void BringUpToDate(TrainingOptions options, std::vector<std::string>* warnings);

  Result<RefreshPlan> PlanRefresh(const RefreshRequest& request, int64_t* current);

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
  const PasswordSource passwords_;
  const std::string sources_below_;
  const StageListener on_stage_;
  std::shared_ptr<EmbeddingSpace> space_;  // the space of the last query
  std::vector<CheckedFile> checked_files_;
  Tokenizer tokenizer_{store_->settings().tokenizer_version};
  std::atomic<bool> adding_ = false;
};

}  // namespace recall
