#pragma once

// The front door: everything a program can do with a recall.db. The CLI is a thin layer over
// this header; nothing here knows of terminals, flags or JSON.

#include <atomic>
#include <memory>
#include <string>

#include "query/types/maintenance_types.h"
#include "query/types/search_types.h"
#include "query/types/store_types.h"
#include "storage/base/result.h"

namespace recall {

// An open recall.db. Not thread-safe, except Cancel: open one per thread. All answers are from
// one read transaction each.
class Database final {
 public:
  static Result<std::unique_ptr<Database>> Create(const std::string& path,
                                                  const CreateOptions& options);
  static Result<std::unique_ptr<Database>> Open(const std::string& path,
                                                const OpenOptions& options = {});
  ~Database();

  // Paths are made relative to the directory of recall.db. Commits in batches: what is committed
  // stays when a later batch fails. NotFound when a path does not exist (nothing is added then).
  Result<AddReport> Add(const AddRequest& request, const AddProgressFn& progress = {});
  Result<RemoveReport> Remove(const RemoveRequest& request);
  Result<SearchResponse> Search(const SearchRequest& request);
  // NotFound when nothing is called so.
  Result<SimilarResponse> Similar(const SimilarRequest& request);
  Result<ContextResponse> Context(const ContextRequest& request);
  Result<GetResponse> Get(const GetRequest& request);
  // Structured or ranked rows by an RQL query (docs/rql.md).
  Result<QueryResponse> Query(const QueryRequest& request);
  // Documents by path with their chunks; equal stores give equal bytes.
  Result<ExportReport> Export(const ExportRequest& request, const ExportSink& sink = {},
                              const AddProgressFn& progress = {});
  // InvalidArgument, with the line, for what cannot be read; nothing of that batch is kept.
  Result<ImportReport> Import(const ImportRequest& request, const AddProgressFn& progress = {});
  // Takes in the documents of other stores: the store is then what one ingest of all would have
  // made it. Of a path that several have, the last one's counts. Commits in batches; another call
  // goes on from there. Errors: those of opening these stores, before anything is changed;
  // Corruption, with the row, for a document that is damaged there.
  Result<MergeReport> Merge(const MergeRequest& request, const AddProgressFn& progress = {});
  // Makes a new store of one of an earlier implementation (docs/format/export.md, "Migration").
  // What *cancel, if given, becomes true for ends with Cancelled.
  static Result<MigrateReport> Migrate(const MigrateRequest& request,
                                       const AddProgressFn& progress = {},
                                       const std::atomic<bool>* cancel = nullptr);
  // Purges, merges and rewrites the file; answers stay the same. Commits in steps: what was done
  // before an error stays done, and another call goes on from there. Busy when others never let go.
  Result<CompactReport> Compact(const CompactRequest& request,
                                const CompactProgressFn& progress = {});
  // Gives all chunks vectors of another embedder, which the store has from then on; searches see
  // the old ones until all are there. Commits in steps; another call goes on where one ended.
  // NotFound for an embedder that is not configured; those of the embedder.
  Result<EmbedReport> Embed(const EmbedRequest& request, const EmbedProgressFn& progress = {});
  Result<StatsReport> Stats();
  // Holds everything derived against what it is made from, and with `fix` remakes it; what a user
  // put in is never changed. Also for stores that Open refuses. Fails only where there is nothing
  // to examine: StoreNotFound, IoError, Busy, Cancelled, Corruption (no store), Unsupported
  // (newer).
  static Result<DoctorReport> Doctor(const DoctorRequest& request,
                                     const UpkeepProgressFn& progress = {},
                                     const std::atomic<bool>* cancel = nullptr);
  // Copies the store as one commit left it, while others read and write, to a file that is there as
  // a whole or not at all. Works for damaged stores as far as SQLite can read them. AlreadyExists
  // without `force`; Busy when the file to be replaced is a store in use.
  static Result<BackupReport> Backup(const BackupRequest& request,
                                     const UpkeepProgressFn& progress = {},
                                     const std::atomic<bool>* cancel = nullptr);
  // Lays open how the file is built. Reads every byte of vectors and all pages.
  static Result<InspectReport> Inspect(const InspectRequest& request,
                                       const std::atomic<bool>* cancel = nullptr);

  // Makes the call in progress end soon: Add with cancelled = true, others with Cancelled.
  // Thread-safe and async-signal-safe.
  void Cancel();

  const std::string& path() const;

 private:
  class Impl;
  explicit Database(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Whether there is a store file at `path` (not whether it is sound).
bool StoreExists(const std::string& path);

}  // namespace recall
