#include "query/database/database_state.h"

#include <algorithm>
#include <filesystem>

#include "index/base/text/utf8.h"
#include "index/embed/factory/builtin_embedders.h"
#include "index/embed/factory/configured_embedders.h"
#include "index/search/lexical/salient_terms.h"
#include "index/search/ranker/ranker.h"
#include "index/write/derived/derived_data.h"
#include "index/write/ingest/ingest.h"
#include "index/write/local/local_snapshot.h"
#include "index/write/training/reembedding.h"
#include "index/write/training/shared_model.h"
#include "query/add/documents/add.h"
#include "query/add/documents/rebuild.h"
#include "query/ask/answer/get.h"
#include "query/ask/answer/grep.h"
#include "query/ask/answer/list.h"
#include "query/ask/answer/query.h"
#include "query/ask/answer/search.h"
#include "query/ask/answer/similar.h"
#include "query/ask/answer/symbols.h"
#include "query/ask/context/context.h"
#include "query/ask/map/code_map.h"
#include "query/ask/rows/computed_fields.h"
#include "query/ask/rows/scope.h"
#include "query/ask/rows/scoped_snapshot.h"
#include "query/ask/rows/views.h"
#include "query/ask/uses/references.h"
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
#include "query/maintenance/model_of_store.h"
#include "query/maintenance/remove.h"
#include "query/maintenance/stats.h"
#include "query/memory/hints/hints.h"
#include "query/memory/notes/save.h"
#include "query/memory/sessions/forget.h"
#include "query/rql/rql.h"
#include "storage/base/thread_start.h"
#include "storage/history/snapshot_token.h"
#include "storage/postgres/postgres_address.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

// The number of documents per commit when Migrate fills the new store.
constexpr int64_t kFillBatchDocuments = 10'000;

// A cited text that was moved to another document is searched by this many bytes and words of it,
// among this many chunks.
constexpr size_t kMostSearchedText = 16 * 1024;
constexpr size_t kMostSearchedWords = 24;
constexpr size_t kMostSearchedChunks = 32;

// The number of notes that `save` says are near; one more may be the note itself.
constexpr size_t kMostNearNotes = 6;

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

// Sets the state of the source of a document, if the shown version is the live one.
Status AddSourceState(const TextsAndFacts& texts, const SourceCheck& check, SourceChecker& sources,
                      DocView& doc) {
  if (!check.on) return {};
  RECALL_ASSIGN(const auto live, texts.FindDoc(doc.path));
  if (!live || ToHex(live->id) != doc.id) return {};
  RECALL_ASSIGN(doc.source_state, sources.StateOf(*live, check));
  return {};
}

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

}  // namespace

std::string RootOf(const std::string& store_path) {
  std::error_code error;
  if (IsServerAddress(store_path)) return fs::current_path(error).string();
  fs::path absolute = fs::absolute(store_path, error);
  if (error) absolute = store_path;
  return absolute.lexically_normal().parent_path().string();
}

size_t ThreadCount(uint32_t requested) { return requested > 0 ? requested : UsableCpus(); }

std::string DatabaseState::RootOfFiles() const {
  return IsServerAddress(store_->path()) ? std::string() : root_;
}

void DatabaseState::Remember(const SourceChecker& sources) {
  checked_files_.insert(checked_files_.end(), sources.files().begin(), sources.files().end());
}

Result<std::string> DatabaseState::CommitToken() {
  RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, ""));
  return TokenOf(*transaction);
}

Result<StatsReport> DatabaseState::Stats() {
  RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, ""));
  const LocalSnapshot local(*transaction);
  RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
  const bool tells_file = visible.tells_all();
  RECALL_ASSIGN(StatsReport report, RunStats(*store_, *transaction, tells_file));
  report.store = Summarize(*transaction, visible);
  return report;
}

Result<CompactReport> DatabaseState::Compact(const CompactRequest& request,
                                             const CompactProgressFn& progress) {
  RECALL_ASSIGN(CompactReport report, RunCompact(*store_, cancelled_, request, progress));
  if (!scope_ && !note_scope_) return report;
  RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, ""));
  const LocalSnapshot local(*transaction);
  RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
  report.store = Summarize(*transaction, visible);
  return report;
}

StoreSummary DatabaseState::Summarize(const ReadTransaction& transaction,
                                      const VisibleSnapshot& visible) const {
  StoreSummary summary = recall::Summarize(transaction, *store_, visible.snapshot().counts());
  if (!visible.tells_all()) summary.db_size_bytes.reset();
  return summary;
}

std::string DatabaseState::TokenOf(const ReadTransaction& transaction) const {
  return MakeSnapshotToken(store_->uuid(), transaction.counts());
}

Result<SearchResponse> DatabaseState::Search(const SearchRequest& request) {
  RECALL_TRY(CheckRequest(request));
  return AskWhole(request, [&](const Moment& now) {
    return RunSearch(now.snapshot, now.deps, request, now.token);
  });
}

Result<SimilarResponse> DatabaseState::Similar(const SimilarRequest& request) {
  RECALL_TRY(CheckPage(request.search));
  return Ask(request.search.scope.snapshot, [&](const Moment& now) {
    return RunSimilar(now.snapshot, now.deps, request, now.token, root_);
  });
}

Result<ContextResponse> DatabaseState::Context(const ContextRequest& request) {
  RECALL_TRY(CheckRequest(request.search));
  return AskWhole(request.search, [&](const Moment& now) {
    return RunContext(now.snapshot, now.deps, request, now.token);
  });
}

Result<HintResponse> DatabaseState::Hints(const HintRequest& request) {
  return Ask("", [&](const Moment& now) {
    return RunHints({now.snapshot, now.deps, now.token, root_}, request);
  });
}

Result<QueryResponse> DatabaseState::Query(const QueryRequest& request) {
  std::vector<QueryRow> all;
  RECALL_ASSIGN(QueryResponse found, Query(request, [&](const QueryResponse&, QueryRows& rows) {
                  return rows.Read([&](QueryRow& row) {
                    all.push_back(std::move(row));
                    return Status::Ok();
                  });
                }));
  found.rows = std::move(all);
  return found;
}

Result<QueryResponse> DatabaseState::Query(const QueryRequest& request, const QueryReader& read) {
  RECALL_TRY(CheckWeights(request.weights));
  return Ask(request.snapshot, [&](const Moment& now) {
    return RunQuery(now.snapshot, now.deps, request, now.store, read);
  });
}

Result<QueryResponse> DatabaseState::List(const ListRequest& request) {
  RECALL_ASSIGN(const QueryRequest query, QueryOfList(request, root_, false));
  RECALL_ASSIGN(QueryResponse found, Query(query));
  if (found.total_hits == 0 && !request.paths.empty()) {
    RECALL_ASSIGN(const QueryRequest in_any_case, QueryOfList(request, root_, true));
    RECALL_ASSIGN(QueryResponse any, Query(in_any_case));
    if (any.total_hits > 0) found = std::move(any);
  }
  if (found.total_hits > 0 || !NamesDocuments(request) || request.paths.empty()) return found;
  return Fail(NoDocumentAt(request.paths.front()));
}

Result<GrepResponse> DatabaseState::Grep(const GrepRequest& request) {
  return Ask(request.scope.snapshot,
             [&](const Moment& now) { return FindLines(now.snapshot, request, root_, now.token); });
}

Result<SymbolsResponse> DatabaseState::Symbols(const SymbolsRequest& request) {
  return Ask(request.scope.snapshot,
             [&](const Moment& now) { return FindSymbols(now.snapshot, request, now.token); });
}

Result<ReferencesResponse> DatabaseState::References(const ReferencesRequest& request) {
  return Ask(request.scope.snapshot, [&](const Moment& now) {
    return FindReferences(now.snapshot, request, root_, now.token);
  });
}

Result<MapResponse> DatabaseState::Map(const MapRequest& request) {
  return Ask(request.scope.snapshot,
             [&](const Moment& now) { return MakeMap(now.snapshot, request, root_, now.token); });
}

Result<GetResponse> DatabaseState::Get(const GetRequest& request) {
  RECALL_ASSIGN(auto found, GetAll({request.target}, request));
  return std::move(found.front());
}

Result<std::vector<Result<GetResponse>>> DatabaseState::GetAll(
    const std::vector<std::string>& targets, GetRequest request) {
  RECALL_TRY(CheckCommitToken(request.snapshot));
  RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, request.snapshot));
  const LocalSnapshot local(*transaction);
  RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
  const SimilarTextSearch search = [&](const std::string& text) {
    return FindSimilarText(*transaction, visible.snapshot(), text);
  };
  ComputedFields computed(visible.snapshot(), WallClockNanos());
  SourceChecker sources(visible.snapshot().texts(), RootOfFiles());
  std::vector<Result<GetResponse>> answers;
  for (const std::string& target : targets) {
    request.target = target;
    auto answer =
        RunGet(visible.snapshot().texts(), request, {root_, sources_below_}, search, extractors_);
    if (answer) {
      RECALL_TRY(AddComputed(visible.snapshot(), request.computed_fields, computed, answer->doc));
      PartFields parts(visible.snapshot().texts());
      RECALL_TRY(
          AddParts(visible.snapshot(), request.computed_fields, parts, answer->doc, answer->chunk));
      RECALL_TRY(AddSourceState(visible.snapshot().texts(), request.check, sources, answer->doc));
    }
    answers.push_back(std::move(answer));
  }
  Remember(sources);
  return answers;
}

Result<SaveReport> DatabaseState::Save(const SaveRequest& request) {
  RECALL_ASSIGN(const PlannedNote plan, PlanNote(request));
  RECALL_ASSIGN(const NearAnswer near, FindNear(plan.compared, kMostNearNotes));
  RECALL_ASSIGN(SaveReport report, WriteNotes<SaveReport>([&](const NoteDependencies& deps) {
                  return RunSave(deps, request, plan, near);
                }));
  if (!request.dry_run) BringUpToDate({}, &report.warnings);
  return report;
}

Result<RetireReport> DatabaseState::Retire(const RetireRequest& request) {
  return WriteNotes<RetireReport>(
      [&](const NoteDependencies& deps) { return RunRetire(deps, request); });
}

Result<ExportReport> DatabaseState::Export(const ExportRequest& request, const ExportSink& sink,
                                           const AddProgressFn& progress) {
  RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, request.scope.snapshot));
  RECALL_ASSIGN(const auto space, EmbeddingSpace::Open(*transaction));
  const LocalSnapshot local(*transaction);
  RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
  const TransferDependencies deps{store_.get(), space, &cancelled_};
  if (request.layout == ExportLayout::kNotes || request.layout == ExportLayout::kGraph) {
    return ExportNotes(*transaction, visible.snapshot(), deps, request, sink, progress);
  }
  return ExportDocuments(*transaction, visible.snapshot().filters(), deps, request, sink, progress);
}

Result<ImportReport> DatabaseState::Import(const ImportRequest& request,
                                           const AddProgressFn& progress) {
  ImportReport cancelled;
  cancelled.cancelled = true;
  if (cancelled_) return cancelled;
  RECALL_ASSIGN(const ImportProgram* const program, FindImportProgram(request.program));
  RECALL_ASSIGN(const auto space, OpenSpace(*store_, &embedders_));
  IngestProgress shown(progress);
  adding_ = true;
  auto report = program != nullptr && program->makes_sessions()
                    ? program->import_sessions(DepsOfSessions(0), request)
                    : ImportFile(request, {store_.get(), space, &cancelled_}, ThreadCount(0),
                                 shown.documents());
  adding_ = false;
  if (report && !request.dry_run && !report->cancelled) {
    BringUpToDate({.progress = shown.catch_up()}, &report->warnings);
  }
  return report;
}

Result<EmbedReport> DatabaseState::Embed(const EmbedRequest& request,
                                         const EmbedProgressFn& progress) {
  ReembeddingOptions options;
  options.embedder = request.embedder;
  options.again = request.again;
  options.threads = static_cast<uint32_t>(ThreadCount(request.threads));
  std::optional<SharedModel> model;
  if (!request.model_of.empty()) {
    RECALL_ASSIGN(model, ReadModelOf(request.model_of));
    if (model->seed != store_->settings().signature_seed) {
      return Fail(Status::InvalidArgument(
          request.model_of + ": the store has ann_seed " + std::to_string(model->seed) +
              ", but this one " + std::to_string(store_->settings().signature_seed),
          "`recall init --model` makes a store with the settings of the other one"));
    }
    options.model = &*model;
  }
  adding_ = true;
  auto done = Reembed(*store_, &embedders_, cancelled_, options, progress);
  adding_ = false;
  if (!done) return Fail(done.error());
  return EmbedReport{done->space.embedder, done->space.version, done->space.dim,
                     done->chunks,         done->resumed,       done->already};
}

Result<ImportReport> DatabaseState::Fill(ImportSource& source, const std::atomic<bool>& cancelled,
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

void DatabaseState::Cancel() {
  cancelled_.store(true, std::memory_order_relaxed);
  // While documents are added or imported, SQLite is not interrupted: the flag ends the operation
  // at the end of the current batch or rolls it back.
  if (!adding_.load(std::memory_order_relaxed)) store_->Interrupt();
}

NoteDependencies DatabaseState::LinkDependencies() {
  return {store_.get(), nullptr, &embedders_, root_, note_scope_ ? &note_scope_ : &scope_,
          &cancelled_};
}

Result<NearAnswer> DatabaseState::FindNear(const ComparedNote& note, size_t most) {
  RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, ""));
  RECALL_TRY(FollowSpace(*transaction));
  const LocalSnapshot local(*transaction);
  RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
  RECALL_TRY(SetSearchedLanguages(visible.snapshot(), tokenizer_));
  const QueryDependencies deps(visible.snapshot(), space_, &tokenizer_, &rankers_, on_stage_);
  return FindNearNotes(visible.snapshot(), deps, note, most, TokenOf(*transaction));
}

Status DatabaseState::CheckCommitToken(const std::string& snapshot) const {
  if (snapshot.empty() || ParseSnapshotToken(store_->uuid(), snapshot)) return {};
  return Status::InvalidArgument("'" + snapshot + "' is not the token of a commit of this store",
                                 "use the snapshot of an answer, as in stats.snapshot");
}

Result<std::vector<uint32_t>> DatabaseState::FindSimilarText(const ReadTransaction& transaction,
                                                             const Snapshot& snapshot,
                                                             const std::string& text) {
  RECALL_TRY(FollowSpace(transaction));
  RECALL_ASSIGN(const auto indexes, snapshot.OpenIndexes(space_->geometry()));
  RECALL_TRY(SetSearchedLanguages(snapshot, tokenizer_));
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

Result<VisibleSnapshot> DatabaseState::Visible(const Snapshot& all) {
  RECALL_ASSIGN(const std::optional<FilterExpr>* const scope, ScopeAt(all));
  if (!*scope) return VisibleSnapshot(all, nullptr);
  const int64_t commit = all.counts().commit_sequence;
  if (!scope_sets_ || scope_commit_ != commit || scope_sets_->depends_on_now) {
    RECALL_ASSIGN(ScopeSets sets, ScopeSets::Of(all, **scope));
    sets.hides_private_notes_only = !scope_;
    if (!scope_ && sets.part.counts.docs == all.counts().docs) {
      RECALL_ASSIGN(const bool removed, all.notes().HasRemovedPrivateNotes());
      sets.hides_nothing = !removed;
    }
    scope_sets_ = std::make_shared<const ScopeSets>(std::move(sets));
    scope_commit_ = commit;
  }
  return VisibleSnapshot(all, scope_sets_);
}

Result<const std::optional<FilterExpr>*> DatabaseState::ScopeAt(const Snapshot& all) const {
  if (!note_scope_) return &scope_;
  RECALL_ASSIGN(const bool has_notes, all.notes().HasNotes());
  return has_notes ? &note_scope_ : &scope_;
}

Status DatabaseState::FollowSpace(const ReadTransaction& transaction) {
  RECALL_ASSIGN(const SpaceRow* const row, transaction.space());
  if (space_ && space_->row() == *row) return Status::Ok();
  RECALL_ASSIGN(space_, EmbeddingSpace::Open(transaction, &embedders_));
  return Status::Ok();
}

Result<AddReport> DatabaseState::Add(const AddRequest& request, const AddProgressFn& progress) {
  const uint64_t memory = request.memory_bytes.value_or(kDefaultMemory);
  if (memory < kLeastMemory) {
    return Fail(Status::InvalidArgument("an ingest needs at least 320MiB of memory",
                                        "set --memory-limit to 320MiB or more, or omit it"));
  }
  AddReport cancelled;
  cancelled.cancelled = true;
  if (cancelled_) return cancelled;
  const AddDependencies deps{store_.get(), &embedders_,  root_,      ThreadCount(request.threads),
                             &cancelled_,  &extractors_, &passwords_};
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

Result<LinkReport> DatabaseState::LinkNear(const NearLinksRequest& request) {
  if (!(request.least > 0 && request.least <= 1)) {
    return Fail(Status::InvalidArgument("the nearness of links is a number above 0, at most 1"));
  }
  std::vector<std::pair<std::string, ComparedNote>> notes;  // by path
  {
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, ""));
    const LocalSnapshot local(*transaction);
    RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
    RECALL_ASSIGN(notes, NotesToLink(visible.snapshot(), request.sources, root_));
  }
  std::vector<LinkRecord> links;
  const UnixNanos at = request.at.value_or(WallClockNanos());
  for (const auto& [path, note] : notes) {
    RECALL_ASSIGN(const NearAnswer answer, FindNear(note, kMostNearLinks + 1));
    size_t made = 0;
    for (const NearDocument& other : answer.near) {
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

Result<MergeReport> DatabaseState::Merge(const MergeRequest& request,
                                         const AddProgressFn& progress) {
  MergeReport report;
  report.import.cancelled = cancelled_;
  if (cancelled_) return report;
  RECALL_ASSIGN(const auto space, OpenSpace(*store_, &embedders_));
  const TransferDependencies deps{store_.get(), space, &cancelled_};
  RECALL_ASSIGN(const auto source, StoreSource::Open(request.paths, deps));
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
void DatabaseState::BringUpToDate(TrainingOptions options, std::vector<std::string>* warnings) {
  options.threads = static_cast<uint32_t>(ThreadCount(0));
  const Status done = UpdateDerivedData(*store_, cancelled_, options);
  if (done.ok() || done.code() == StatusCode::kCancelled) return;
  warnings->push_back("the data derived from all texts was not updated: " +
                      std::string(done.message()));
}

}  // namespace recall
