#pragma once

// The public interface: all operations on a store, the file recall.db. The command-line interface
// is a thin layer over this header; nothing here depends on terminals, flags or JSON.

#include <atomic>
#include <memory>
#include <string>
#include <vector>

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
#include "query/types/source_check.h"
#include "query/types/store_types.h"
#include "query/types/suggest_types.h"
#include "storage/base/result.h"

namespace recall {

class DatabaseState;

// An open store. Not thread-safe, except Cancel: each thread opens one of its own. Each answer is
// read in one read transaction.
class Database final {
 public:
  // Creates an empty store at `path` and opens it. Errors: InvalidArgument for invalid settings or
  // an unknown embedder; those of Store::Create.
  static Result<std::unique_ptr<Database>> Create(const std::string& path,
                                                  const CreateOptions& options);
  // Opens an existing store. Errors: those of Store::Open; Unsupported if the store needs another
  // version of this program.
  static Result<std::unique_ptr<Database>> Open(const std::string& path,
                                                const OpenOptions& options = {});
  ~Database();

  // Adds files, directories or JSON lines. Paths are made relative to the directory of the store.
  // Commits in batches; committed batches are kept if a later one fails. Errors: NotFound if a path
  // of `paths` does not exist; then nothing is added.
  Result<AddReport> Add(const AddRequest& request, const AddProgressFn& progress = {});
  // Brings all documents up to date with their files: adds those that have changed again, and
  // removes those that are deleted, unless their directories are missing or empty, as those of a
  // disk that is not mounted. With RefreshRequest::below also adds new files; several processes may
  // then do so at once while files change: the store has the last state of each when the last
  // process has ended. Costs a stat(2) for each document. Errors: NotFound if one of `below` is no
  // directory; those of Add and Remove; what was done before stays.
  Result<AddReport> Refresh(const RefreshRequest& request);
  // Marks documents as removed, in one commit; with `purge` also deletes their data. A target that
  // does not exist is reported, not an error.
  Result<RemoveReport> Remove(const RemoveRequest& request);
  // Ranks chunks. Errors: InvalidArgument for an empty query, an invalid filter or invalid options;
  // Expired for a commit that compaction has deleted.
  Result<SearchResponse> Search(const SearchRequest& request);
  // Ranks the chunks or documents similar to a target. Errors: NotFound if the target does not
  // exist; otherwise as Search.
  Result<SimilarResponse> Similar(const SimilarRequest& request);
  // Packs the best passages into a token budget. Errors: as Search.
  Result<ContextResponse> Context(const ContextRequest& request);
  // Says unasked what bears on what an assistant is about to do, or nothing. Writes nothing.
  // Errors: InvalidArgument for a budget below 1.
  Result<HintResponse> Hints(const HintRequest& request);
  // Reads a document, a chunk or lines. Errors: NotFound if the target does not exist;
  // CitationChanged and CitationGone if the store no longer has the text of an exact citation.
  Result<GetResponse> Get(const GetRequest& request);
  // The same for several targets, in one read transaction: an answer or an error for each, in their
  // order. request.target is ignored.
  Result<std::vector<Result<GetResponse>>> GetAll(const std::vector<std::string>& targets,
                                                  GetRequest request);
  // Saves a note in one commit, with its links and the appointment of its first review. Errors:
  // InvalidArgument for an incomplete note; NoteExists if the id is taken; NearDuplicate, both
  // before anything is written; NotFound for targets of links.
  Result<SaveReport> Save(const SaveRequest& request);
  // Marks a note as obsolete, in a new version. Errors: NotFound; InvalidArgument if the document
  // is no note.
  Result<RetireReport> Retire(const RetireRequest& request);
  // Links two documents, or notes to those nearest to them; removes links; shows the links around a
  // document. What is there already is not written again. Errors: NotFound for targets,
  // InvalidArgument for a link from a document to itself.
  Result<LinkReport> Link(const LinkRequest& request);
  Result<LinkReport> LinkNear(const NearLinksRequest& request);
  Result<UnlinkReport> Unlink(const UnlinkRequest& request);
  Result<LinksReport> Links(const LinksRequest& request);
  // Records that documents were used, or how well one was remembered, each in one commit. Errors:
  // NotFound for targets; then nothing is recorded.
  Result<UseReport> Use(const UseRequest& request);
  Result<ReviewReport> Review(const ReviewRequest& request);
  // Lists the documents whose review is due; the notes that are stale, unused or at risk. Errors:
  // InvalidArgument for an invalid filter.
  Result<DueReport> Due(const DueRequest& request);
  Result<StaleReport> Stale(const StaleRequest& request);
  // Suggests what could be done with notes: which to retire, to link, to review, and which share a
  // subject that no note tells. Writes nothing. Errors: InvalidArgument for an invalid filter.
  Result<SuggestReport> Suggest(const SuggestRequest& request);
  // Accepts a suggestion, which links or retires notes, or records that it was rejected. Errors:
  // NotFound if there is no such suggestion, as of the time of the request.
  Result<SettleReport> Settle(const SettleRequest& request);
  // The states of notes.
  Result<StatesReport> States(const StatesRequest& request);
  // Makes sessions of the transcripts of coding agents: new ones, and new versions of those that
  // went on. Commits in steps; after an interruption, another call continues. Transcripts that
  // cannot be read are reported. Errors: NotFound if a path does not exist; InvalidArgument for a
  // revision or a rule that is none.
  Result<CaptureReport> Capture(const CaptureRequest& request,
                                const CaptureProgressFn& progress = {});
  // Deletes sessions and their transcripts for good, and remembers that they are not wanted.
  // Errors: NotFound if a target is no session, before anything is deleted.
  Result<ForgetReport> Forget(const ForgetRequest& request);
  // Writes the sessions that were captured here to the branch recall/ADDRESS of the git repository
  // and to a remote of it; unites the sessions of all such branches of a remote with those of the
  // store. Errors: NotFound outside of a repository, and without sessions; AlreadyExists if the
  // remote has gone on with the branch; IoError if git fails.
  Result<PushReport> Push(const PushRequest& request);
  Result<PullReport> Pull(const PullRequest& request);
  // Lists the files that change together with a file, in sessions and in the commits of its git
  // repository; git is started for these, outside of any transaction. Errors: InvalidArgument for
  // an invalid filter, or a limit below 1; IoError if git does not end; Expired as for Search.
  Result<RelatedResponse> Related(const RelatedRequest& request);
  // Sums up what hints offered in sessions, and what was followed. Errors: as Related.
  Result<HintUseReport> HintUse(const HintUseRequest& request);
  // Returns rows for an RQL query (docs/rql.md), ranked if it has USING. Errors: InvalidArgument,
  // with a position, for an invalid query; otherwise as Search.
  Result<QueryResponse> Query(const QueryRequest& request);
  // The same, with the rows in memory one at a time: calls read(found, rows) once, within the
  // transaction of the answer, so `read` must not call this object. Without the timing "assemble".
  // Errors: as Query, and those of `read`. An error may occur after `read` has received rows.
  Status Query(const QueryRequest& request, const QueryReader& read);
  // Lists documents in the order of their paths, as rows of a query: path, size, chunks, mtime,
  // tag. Errors: NotFound if there is none at any of the paths, without filter and patterns;
  // otherwise as Query.
  Result<QueryResponse> List(const ListRequest& request);
  // Finds the lines of documents that match a pattern. Errors: InvalidArgument for an invalid
  // pattern or filter; NotFound if there is no document at any of the paths, without filter and
  // patterns; Expired for a commit that compaction has deleted.
  Result<GrepResponse> Grep(const GrepRequest& request);
  // Lists definitions of source code by name. Errors: InvalidArgument for an empty name or an
  // invalid filter; Expired for a commit that compaction has deleted.
  Result<SymbolsResponse> Symbols(const SymbolsRequest& request);
  // Finds the uses of definitions of source code, by syntax alone. Errors: InvalidArgument for an
  // empty name, a pattern or an invalid filter; Expired as above.
  Result<ReferencesResponse> References(const ReferencesRequest& request);
  // Makes a map of source code within a budget: the definitions that are referred to most, with
  // their signatures. Errors: InvalidArgument for a budget below 1 or an invalid filter; NotFound
  // as for List, or if the vocabulary of the token counter does not exist; Expired as above.
  Result<MapResponse> Map(const MapRequest& request);
  // Writes documents in the order of their paths, with their chunks. Equal documents in stores with
  // equal settings give equal bytes.
  Result<ExportReport> Export(const ExportRequest& request, const ExportSink& sink = {},
                              const AddProgressFn& progress = {});
  // Reads a file that Export, or recall 0.1, wrote. Errors: InvalidArgument, with the line, for an
  // invalid line; then nothing of its batch is kept.
  Result<ImportReport> Import(const ImportRequest& request, const AddProgressFn& progress = {});
  // Imports the documents of other stores, as if their files had been added to this one. If several
  // stores have a document with the same path, that of the last store is kept; sessions are united
  // with each other and with those of this store. Commits in batches;
  // after an interruption, another call continues. Errors: those of opening these stores, before
  // any change; Corruption, with the row, for a damaged document.
  Result<MergeReport> Merge(const MergeRequest& request, const AddProgressFn& progress = {});
  // Makes a new store from a store of recall 0.1 (docs/format/export.md, "Migration"). Returns
  // Cancelled soon after *cancel, if given, becomes true.
  static Result<MigrateReport> Migrate(const MigrateRequest& request,
                                       const AddProgressFn& progress = {},
                                       const std::atomic<bool>* cancel = nullptr);
  // Purges removed documents, merges segments and rewrites the file. Answers stay the same, unless
  // models are trained again. Commits in steps; after an error, completed steps are kept and
  // another call continues. Errors: Busy if other processes do not release the store in time.
  Result<CompactReport> Compact(const CompactRequest& request,
                                const CompactProgressFn& progress = {});
  // Computes the vectors of all chunks with another embedder, and makes it the embedder of the
  // store. Searches use the old vectors until all new ones exist. Commits in steps; another call
  // continues an interrupted one. Errors: NotFound if the embedder is not configured; those of the
  // embedder.
  Result<EmbedReport> Embed(const EmbedRequest& request, const EmbedProgressFn& progress = {});
  // Returns: the token of the newest commit, of whichever process. Takes some microseconds.
  Result<std::string> CommitToken();
  // How often the server of the store was found to have lost commits, whose numbers are then given
  // to others; 0 for a file. A Database that was opened before fails with IoError.
  uint32_t losses() const;
  // Returns what users must know of the server of the store, such as that it lacks commits which
  // this machine has seen, and forgets it; "" if there is nothing.
  std::string TakeWarning();
  // The identity of the store: 32 hexadecimal digits. Reads nothing.
  const std::string& uuid() const;
  // Returns: the settings and counts of the store.
  Result<StatsReport> Stats();
  // Returns: the sizes of the parts of the store, as its last commit recorded them. If a program
  // that does not record them made it, reads the beginning of each row; on a server, where commits
  // record none, returns nothing.
  Result<std::optional<StoreSizes>> Sizes();
  // Compares all derived data with the data it is computed from, and rebuilds it with `fix`. User
  // data is never changed. Also works for stores that Open refuses. Fails only if the store cannot
  // be examined: StoreNotFound, IoError, Busy, Cancelled, Corruption (the file is not a store),
  // Unsupported (a newer format).
  static Result<DoctorReport> Doctor(const DoctorRequest& request,
                                     const DoctorProgressFn& progress = {},
                                     const std::atomic<bool>* cancel = nullptr);
  // Copies the state of one commit while other processes read and write. The target file appears
  // only when it is complete. Works for damaged stores as far as SQLite can read them. Errors:
  // AlreadyExists if the target exists, without `force`; Busy if the file to replace is a store in
  // use.
  static Result<BackupReport> Backup(const BackupRequest& request,
                                     const UpkeepProgressFn& progress = {},
                                     const std::atomic<bool>* cancel = nullptr);
  // Describes the structure of the file. Reads all pages and all bytes of vectors.
  static Result<InspectReport> Inspect(const InspectRequest& request,
                                       const std::atomic<bool>* cancel = nullptr);

  // The files that the answers since the last call were compared with (SourceCheck). An answer
  // holds as long as its commit is the newest and AreAsChecked.
  std::vector<CheckedFile> TakeCheckedFiles();

  // Ends the current call soon, and all later ones. Add, Import and Merge return a report with
  // cancelled = true; other functions return the error Cancelled. Thread-safe and
  // async-signal-safe.
  void Cancel();

  // The path that the store was opened with.
  const std::string& path() const;

 private:
  explicit Database(std::unique_ptr<DatabaseState> impl);
  std::unique_ptr<DatabaseState> impl_;
};

// Checks that a text is a filter (docs/rql.md), of any store. Errors: InvalidArgument, with a
// position.
Status CheckFilter(const std::string& filter);

// Whether files still are what they were when an answer was compared with them. Costs a stat(2) for
// each.
bool AreAsChecked(const std::vector<CheckedFile>& files);

// True if a file exists at `path`. It may be damaged, or not a store.
bool StoreExists(const std::string& path);

}  // namespace recall
