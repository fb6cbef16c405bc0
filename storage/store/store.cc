#include "storage/store/store.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "storage/base/check.h"
#include "storage/base/clock.h"
#include "storage/base/random.h"
#include "storage/file_io/new_file.h"
#include "storage/file_io/unfinished_file.h"
#include "storage/history/commit_log.h"
#include "storage/history/snapshot_token.h"
#include "storage/history/snapshot_view.h"
#include "storage/overflow/file_mapping.h"
#include "storage/postgres/file_of_store.h"
#include "storage/postgres/postgres_address.h"
#include "storage/replica/page_source.h"
#include "storage/schema/schema.h"
#include "storage/sqlite/page_checksum.h"
#include "storage/sqlite/page_vfs.h"
#include "storage/store/server_store.h"
#include "storage/store/store_impl.h"

namespace recall {
namespace {

// A Store is one SQLite connection with a queue for writers and a catalog of segments. This file
// fixes the order in which they are used; docs/format/store.md has the rules (sections 4 to 6).
//
// Opening:
//   1. FileMapping: the only descriptor that is not SQLite's, opened before SQLite's (POSIX locks)
//   2. SQLite connection, pragmas;  3. application_id and version
//   4. writers: migrate to the newest format, in one transaction, in the writer queue
//
// Writing:                               Reading:
//   BeginWrite  join queue, wait          BeginRead    BEGIN; snapshot in the main file if it is
//               BEGIN IMMEDIATE                        the first, or a segment has no page map
//               read counters                          read counters
//   Commit      counters, commit_log      BeginReadAt  the same, then temporary views that show
//               COMMIT                                 an older commit (snapshot_view.h)
//               checkpoint, leave queue   end          ROLLBACK
//
// A lent connection is opened by its program, before the mapping, which is never closed: the locks
// stay. It is read in the transaction of that program, or in one of a statement that stays open
// (Connection::BeginRead).
//
// Checkpoint: after each commit the WAL is copied into the file (PASSIVE). That keeps the WAL short
// and lets the next reader map new segments. A WAL of more than 64 MiB is truncated as well if it
// has been copied completely and no reader needs it; nothing waits for that. A checkpoint that
// fails changes nothing, and the next commit tries again.
//
// Invariants: at most one transaction per Store is open (open_). Checkpoints run only while holding
// the writer's place in the queue: SQLite before 3.51.3 can lose commits if two connections
// checkpoint and restart the WAL at the same time (checkpointed_snapshot.h). A new store is built
// under another name and renamed, so a store exists complete or not at all.

constexpr int64_t kChunkRows = int64_t{1} << 32;
// A WAL of more frames is truncated as soon as no reader needs it.
constexpr int64_t kMaxWalFrames = (64 << 20) / 65536;

// How long VACUUM waits for readers before it leaves the file at its size.
constexpr int kShrinkWaitMs = 1000;

// How long a reader waits for readers of an older commit, before it opens another replica.
constexpr int kReplicaWaitMs = 200;

struct LeaveAtEnd {
  explicit LeaveAtEnd(WriterQueue& of) : queue(of) {}
  ~LeaveAtEnd() { queue.Leave(); }
  WriterQueue& queue;
};

Status SystemError(const std::string& path, std::string_view doing) {
  return Status::IoError(path + ": cannot " + std::string(doing) + ": " + std::strerror(errno),
                         "check that the directory exists and that you may write to it");
}

// Makes the empty file at `path` an empty store.
Status WriteEmptyStore(const std::string& path, const StoreSettings& settings,
                       std::optional<uint32_t> vector_dim) {
  RECALL_ASSIGN(const auto connection,
                OpenStoreConnection(path, {.mode = ConnectionMode::kCreate}));
  RECALL_TRY(MigrateSchema(*connection));
  RECALL_TRY(connection->BeginImmediate());
  RECALL_TRY(WriteIdentity(*connection, {RandomHex(16), settings}));
  RECALL_TRY(RecordReservedBytes(*connection));
  RECALL_TRY(WriteCounters(*connection, {}));
  RECALL_TRY(InsertSpace(*connection, {.embedder = settings.embedder,
                                       .version = "1",
                                       .dim = vector_dim.value_or(settings.dim),
                                       .since = 0}));
  return connection->Execute("COMMIT");
}

// Made under another name, so that the store exists complete or not at all.
Status MakeEmptyStore(const std::string& path, const StoreSettings& settings,
                      std::optional<uint32_t> vector_dim) {
  RECALL_ASSIGN(const auto unfinished, UnfinishedFile::Create(path, 0644));
  RECALL_TRY(
      WriteEmptyStore(unfinished->path(), settings, vector_dim).WithContext("create a new store"));
  return MoveIntoPlace(unfinished->path(), path);
}

// A store on a server begins as a file in the temporary directory.
Status MakeServerStore(const std::string& address, const StoreSettings& settings,
                       std::optional<uint32_t> vector_dim) {
  RECALL_ASSIGN(const auto unfinished, UnfinishedFile::Create(PlaceForUpload(), 0600));
  RECALL_TRY(WriteEmptyStore(unfinished->path(), settings, vector_dim));
  return UploadStore(unfinished->path(), address);
}

}  // namespace

Result<std::unique_ptr<StoreImpl>> StoreImpl::Open(const std::string& path,
                                                   const StoreOptions& options) {
  if (options.lender) return OpenLent(path, options);
  RECALL_ASSIGN(const std::string file,
                FileOfStore(path, options.read_only ? ReplicaUse::kRead : ReplicaUse::kWrite));
  struct stat info;
  if (::stat(file.c_str(), &info) != 0) {
    if (errno != ENOENT && errno != ENOTDIR) return Fail(SystemError(path, "open it"));
    return Fail(Status::StoreNotFound(path + ": no such store", "create it with `recall init`"));
  }
  if (!S_ISREG(info.st_mode)) {
    return Fail(Status::InvalidArgument(path + ": not a regular file",
                                        "specify the path of a store, such as recall.db"));
  }
  std::unique_ptr<StoreImpl> store(new StoreImpl(path, options));
  RECALL_ASSIGN(const SqliteFeatures features, FeaturesInUse(options.features));
  RECALL_ASSIGN(store->catalog_,
                SegmentCatalog::Open(file, options.enable_mapping && features.file_format,
                                     options.verify_pages,
                                     options.read_only ? options.verified_directory : ""));
  store->source_ = FindPageSource(file);
  if (!options.read_only) {
    store->queue_.emplace(FileMapping::DescriptorOf(file), store->source_);
  }
  ConnectionOptions how;
  how.mode = options.read_only ? ConnectionMode::kReadOnly : ConnectionMode::kReadWrite;
  how.busy_timeout_ms = options.busy_timeout_ms;
  if (store->reads_replica()) how.busy_timeout_ms = std::min(kReplicaWaitMs, how.busy_timeout_ms);
  how.on_long_wait = options.on_long_wait;
  how.enable_mapping = options.enable_mapping;
  how.verify_pages = options.verify_pages;
  how.features = features;
  RECALL_ASSIGN(store->connection_, OpenStoreConnection(file, how));
  RECALL_TRY(CheckSchema(*store->connection_));
  if (!options.read_only) RECALL_TRY(store->Migrate());
  RECALL_TRY(store->ReadFacts());
  if (!options.read_only && store->source_ == nullptr) {
    store->ledger_.emplace(*store->connection_);
  }
  return store;
}

// The mapping is of the file at the path, and is used only if the connection has the same one.
Result<std::unique_ptr<StoreImpl>> StoreImpl::OpenLent(const std::string& path,
                                                       const StoreOptions& options) {
  std::unique_ptr<StoreImpl> store(new StoreImpl(path, options));
  RECALL_ASSIGN(const SqliteFeatures features, FeaturesInUse(options.features));
  RECALL_ASSIGN(store->connection_, BorrowStoreConnection(options.lender, features));
  const std::string& file = store->connection_->path();
  const bool maps = options.enable_mapping && features.file_format;
  RECALL_ASSIGN(store->catalog_, SegmentCatalog::Open(file, maps, options.verify_pages));
  if (store->connection_->HasMoved()) {
    RECALL_ASSIGN(store->catalog_, SegmentCatalog::Open(file, false, options.verify_pages));
  }
  RECALL_TRY(CheckSchema(*store->connection_));
  RECALL_TRY(store->ReadFacts());
  return store;
}

// In one transaction, because each statement would otherwise take a reader's lock and return it.
Status StoreImpl::ReadFacts() {
  RECALL_TRY(connection_->BeginRead());
  RECALL_ASSIGN(identity_, ReadIdentity(*connection_));
  RECALL_TRY(CheckReservedBytes(*connection_));
  losses_ = losses();
  return connection_->Rollback();
}

Status StoreImpl::CheckNothingLost() const {
  if (losses() == losses_) return Status::Ok();
  return Status::IoError(path_ + ": the server has lost commits that were read before",
                         "run the command again");
}

Status StoreImpl::Migrate() {
  RECALL_ASSIGN(const int64_t version, connection_->QueryInt("PRAGMA user_version"));
  if (version == SchemaVersion()) return Status::Ok();
  RECALL_TRY(AwaitTurn());
  const LeaveAtEnd leave(*queue_);
  // The writer before may have done it.
  RECALL_ASSIGN(const int64_t present, connection_->QueryInt("PRAGMA user_version"));
  if (present != SchemaVersion() && options_.before_migration) {
    RECALL_TRY(options_.before_migration());
  }
  return MigrateSchema(*connection_);
}

Result<std::unique_ptr<ReadTransaction>> StoreImpl::BeginRead() {
  RECALL_CHECK(open_ == nullptr);
  RECALL_TRY(EndLeftOver());
  std::unique_ptr<ReadTransaction> transaction(new ReadTransaction(this));
  open_ = transaction.get();
  RECALL_TRY(catalog_->BeginRead(*connection_));
  RECALL_TRY(CheckNothingLost());
  RECALL_ASSIGN(const StoreCounters counters, ReadCounters(*connection_));
  transaction->counts_ = counters.counts;
  RECALL_TRY(ReadMark(&transaction->counts_));
  transaction->next_chunk_ = counters.next_chunk;
  return transaction;
}

Status StoreImpl::ReadMark(StoreCounts* counts) {
  if (!is_on_server()) return Status::Ok();
  RECALL_ASSIGN(const auto time, CommittedAt(*connection_, counts->commit_sequence));
  if (time) counts->commit_mark = CommitMark(*time);
  return Status::Ok();
}

Result<std::unique_ptr<ReadTransaction>> StoreImpl::BeginReadAt(const CommitName& name) {
  RECALL_ASSIGN(auto transaction, BeginRead());
  RECALL_TRY(GoBack(*transaction, name));
  return transaction;
}

Status StoreImpl::GoBack(ReadTransaction& transaction, const CommitName& name) {
  const int64_t present = transaction.counts().commit_sequence;
  if (name.sequence == present && !name.mark) return Status::Ok();
  const std::string token = MakeSnapshotToken(identity_.uuid, name);
  const auto token_of = [&](int64_t commit) {
    return MakeSnapshotToken(identity_.uuid, CommitName{commit});
  };
  if (name.sequence > present) {
    return Status::NotFound(
        "snapshot " + token + " is newer than the store, whose last commit is " + token_of(present),
        "if the store was restored from a backup, run the command without --snapshot");
  }
  RECALL_ASSIGN(const auto horizon, ReadHorizon(*connection_));
  if (!horizon || name.sequence < *horizon) {
    return Status::Expired("snapshot " + token + " has expired: the oldest readable one is " +
                               token_of(horizon.value_or(present)),
                           "run the command without --snapshot; `recall compact --keep-snapshots` "
                           "sets how long snapshots are kept");
  }
  RECALL_ASSIGN(const std::optional<CommitRecord> commit, FindCommit(*connection_, name.sequence));
  if (!commit) {
    return Status::Corruption(
        path_ + ": snapshot " + token + " has not expired, but table commit_log has no row for it",
        "run `recall doctor --fix`, or omit --snapshot");
  }
  const uint16_t mark = CommitMark(commit->committed_at);
  if (name.mark && *name.mark != mark) {
    return Status::Expired("snapshot " + token + " was lost: " +
                               MakeSnapshotToken(identity_.uuid, CommitName{name.sequence, mark}) +
                               " is another commit of this number",
                           "run the command without --snapshot; a standby may have taken over "
                           "without this commit, or the store was restored from a backup");
  }
  if (name.sequence == present) return Status::Ok();
  RECALL_ASSIGN(const StoreCounters counters, ReadCounters(*connection_));
  if (commit->next_chunk > counters.next_chunk || counters.next_chunk > kChunkRows) {
    return Status::Corruption(
        path_ + ": snapshot " + token + " has more chunk rowids than the store",
        "run `recall doctor --fix`, or omit --snapshot");
  }
  RECALL_ASSIGN(transaction.snapshot_,
                OpenSnapshotView(*connection_, *commit, counters.next_chunk));
  transaction.counts_ = commit->counts;
  if (is_on_server()) transaction.counts_.commit_mark = mark;
  return Status::Ok();
}

Result<std::unique_ptr<WriteTransaction>> StoreImpl::BeginWrite() {
  RECALL_CHECK(open_ == nullptr);
  if (options_.read_only) {
    return Fail(Status::InvalidArgument(path_ + ": the store was opened read-only",
                                        "open it without read_only"));
  }
  RECALL_TRY(EndLeftOver());
  std::unique_ptr<WriteTransaction> transaction(new WriteTransaction(this));
  open_ = transaction.get();
  RECALL_TRY(AwaitTurn());
  RECALL_TRY(connection_->BeginImmediate());
  if (ledger_) ledger_->Begin();
  RECALL_TRY(CheckNothingLost());
  RECALL_ASSIGN(const StoreCounters counters, ReadCounters(*connection_));
  transaction->counts_ = counters.counts;
  RECALL_TRY(ReadMark(&transaction->counts_));
  transaction->next_chunk_ = counters.next_chunk;
  transaction->next_block_ = counters.next_block;
  return transaction;
}

Status StoreImpl::Commit(int64_t sequence) {
  if (ledger_) RECALL_TRY(ledger_->Record(sequence));
  RECALL_TRY(connection_->Execute("COMMIT"));
  open_ = nullptr;
  Checkpoint();
  queue_->Leave();
  return Status::Ok();
}

Status StoreImpl::AwaitTurn() {
  queue_->Enter();
  Status waited = connection_->WaitUntil([this] { return queue_->IsOurTurn(); });
  if (waited.ok()) return waited;
  const std::string writer = queue_->WriterBefore();
  if (waited.code() == StatusCode::kBusy && !writer.empty()) {
    waited =
        Status::Busy(std::string(waited.message()) + ": " + writer, std::string(waited.hint()));
  }
  queue_->Leave();
  return waited;
}

void StoreImpl::Checkpoint() {
  // A reader may still need the WAL, or the disk may be full: the next commit tries again.
  int frames = 0;
  int copied = 0;
  sqlite3* const handle = connection_->handle();
  sqlite3_wal_checkpoint_v2(handle, nullptr, SQLITE_CHECKPOINT_PASSIVE, &frames, &copied);
  if (frames <= kMaxWalFrames || copied < frames) return;
  connection_->SetBusyTimeout(0);
  sqlite3_wal_checkpoint_v2(handle, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  connection_->SetBusyTimeout(options_.busy_timeout_ms);
}

Status StoreImpl::Vacuum() {
  RECALL_CHECK(open_ == nullptr);
  RECALL_TRY(EndLeftOver());
  RECALL_TRY(AwaitTurn());
  const LeaveAtEnd leave(*queue_);
  // VACUUM makes a copy as large as the store, which must go to a file, not into memory.
  RECALL_TRY(connection_->Execute("PRAGMA temp_store=FILE"));
  const Status vacuumed = connection_->Execute("VACUUM");
  RECALL_TRY(connection_->Execute("PRAGMA temp_store=MEMORY"));
  RECALL_TRY(vacuumed);
  // A reader of an older commit prevents the truncation of the WAL and the file until a later
  // checkpoint. The wait is short, because other writers cannot proceed meanwhile.
  connection_->SetBusyTimeout(std::min(options_.busy_timeout_ms, kShrinkWaitMs));
  const int emptied = sqlite3_wal_checkpoint_v2(connection_->handle(), nullptr,
                                                SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  connection_->SetBusyTimeout(options_.busy_timeout_ms);
  return emptied == SQLITE_OK ? StopAcceptingUnsealed() : Status::Ok();
}

// VACUUM has written every page of the file.
Status StoreImpl::StopAcceptingUnsealed() {
  PageFile* const pages = connection_->page_file();
  if (pages == nullptr || !pages->AcceptsUnsealed()) return Status::Ok();
  RECALL_TRY(connection_->BeginImmediate());
  pages->StopAcceptingUnsealed();
  RECALL_TRY(connection_->Execute("COMMIT"));
  Checkpoint();
  return Status::Ok();
}

Status StoreImpl::AddPageChecksums() {
  RECALL_CHECK(open_ == nullptr);
  RECALL_ASSIGN(const std::string journal, connection_->QueryText("PRAGMA journal_mode"));
  RECALL_ASSIGN(uint32_t reserved, connection_->ReservedBytes());
  if (reserved == kPageTrailerBytes || journal != "wal") return Status::Ok();
  RECALL_TRY(connection_->ReserveForChecksums());
  RECALL_TRY(Vacuum());
  RECALL_TRY(AwaitTurn());
  const LeaveAtEnd leave(*queue_);
  RECALL_TRY(connection_->BeginImmediate());
  const Status recorded = RecordReservedBytes(*connection_);
  return recorded.ok() ? connection_->Execute("COMMIT") : recorded;
}

Status StoreImpl::EmptyWal() {
  RECALL_CHECK(open_ == nullptr);
  RECALL_TRY(AwaitTurn());
  const LeaveAtEnd leave(*queue_);
  const int code = sqlite3_wal_checkpoint_v2(connection_->handle(), nullptr,
                                             SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  if (code == SQLITE_OK) return Status::Ok();
  return connection_->ToStatus(code, "empty the write-ahead log")
      .WithHint("end the programs that read the store, then run the command again");
}

// The end of a transaction cannot report errors, but its ROLLBACK can fail when memory is
// exhausted. It is repeated here.
Status StoreImpl::EndLeftOver() {
  return connection_->InTransaction() ? connection_->Rollback() : Status::Ok();
}

void StoreImpl::End(const ReadTransaction* transaction) {
  if (open_ != transaction) return;
  open_ = nullptr;
  try {
    // A failed statement may already have rolled back.
    if (connection_->InTransaction()) connection_->Rollback().IgnoreError();
  } catch (const std::bad_alloc&) {  // of the text of its error
  }
  if (queue_) queue_->Leave();
}

Result<std::unique_ptr<Store>> Store::Create(const std::string& path, const StoreSettings& settings,
                                             const StoreOptions& options,
                                             std::optional<uint32_t> vector_dim) {
  struct stat info;
  if (IsPostgresAddress(path)) {
    RECALL_TRY(MakeServerStore(path, settings, vector_dim));
    return Open(path, options);
  }
  if (::lstat(path.c_str(), &info) == 0) return Fail(FileAlreadyThere(path));
  RECALL_TRY(MakeEmptyStore(path, settings, vector_dim));
  return Open(path, options);
}

Result<std::unique_ptr<Store>> Store::CreateIn(const UnfinishedFile& file,
                                               const StoreSettings& settings,
                                               const StoreOptions& options,
                                               std::optional<uint32_t> vector_dim) {
  RECALL_TRY(WriteEmptyStore(file.path(), settings, vector_dim).WithContext("create a new store"));
  return Open(file.path(), options);
}

namespace {

int64_t DeadlineOf(const StoreOptions& options) {
  return SteadyMicros() + int64_t{1000} * options.busy_timeout_ms;
}

// Of a store on a server, a replica that is Busy is given up for another one, until the deadline.
Result<std::unique_ptr<StoreImpl>> OpenAnyReplica(const std::string& path,
                                                  const StoreOptions& options, int64_t deadline) {
  const bool has_replicas = options.read_only && IsPostgresAddress(path);
  for (;;) {
    auto opened = StoreImpl::Open(path, options);
    const bool busy = !opened && opened.error().code() == StatusCode::kBusy;
    if (!busy || !has_replicas || SteadyMicros() >= deadline) return opened;
  }
}

}  // namespace

Result<std::unique_ptr<Store>> Store::Open(const std::string& path, const StoreOptions& options) {
  RECALL_ASSIGN(std::unique_ptr<StoreImpl> impl,
                OpenAnyReplica(path, options, DeadlineOf(options)));
  return std::unique_ptr<Store>(new Store(std::move(impl)));
}

template <typename Begin>
auto Store::OnAnyReplica(Begin begin) -> decltype(begin(std::declval<StoreImpl&>())) {
  const int64_t deadline = DeadlineOf(impl_->options());
  auto begun = begin(*impl_);
  while (!begun && begun.error().code() == StatusCode::kBusy && impl_->reads_replica() &&
         SteadyMicros() < deadline) {
    RECALL_ASSIGN(auto other, OpenAnyReplica(impl_->path(), impl_->options(), deadline));
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      impl_.swap(other);
    }
    begun = begin(*impl_);
  }
  return begun;
}

Store::Store(std::unique_ptr<StoreImpl> impl) : impl_(std::move(impl)) {}
Store::~Store() = default;

const StoreSettings& Store::settings() const { return impl_->identity().settings; }
const std::string& Store::path() const { return impl_->path(); }
const std::string& Store::uuid() const { return impl_->identity().uuid; }
bool Store::read_only() const { return impl_->options().read_only; }
const StoreOptions& Store::options() const { return impl_->options(); }

Result<std::unique_ptr<ReadTransaction>> Store::BeginRead() {
  return OnAnyReplica([](StoreImpl& impl) { return impl.BeginRead(); });
}
Result<std::unique_ptr<ReadTransaction>> Store::BeginReadAt(const CommitName& name) {
  if (impl_->options().lender) {
    RECALL_ASSIGN(auto transaction, impl_->BeginRead());
    if (transaction->counts().commit_sequence == name.sequence && !name.mark) return transaction;
    transaction.reset();
    return BeginReadBeside(name);
  }
  return OnAnyReplica([&](StoreImpl& impl) { return impl.BeginReadAt(name); });
}

Result<std::unique_ptr<ReadTransaction>> Store::BeginReadBeside(const CommitName& name) {
  if (!beside_) {
    StoreOptions options = impl_->options();
    options.lender = nullptr;
    RECALL_ASSIGN(auto opened, StoreImpl::Open(impl_->path(), options));
    const std::lock_guard<std::mutex> lock(mutex_);
    beside_ = std::move(opened);
  }
  return beside_->BeginReadAt(name);
}

Result<std::unique_ptr<WriteTransaction>> Store::BeginWrite() { return impl_->BeginWrite(); }

Status Store::Vacuum() { return impl_->Vacuum(); }
Status Store::AddPageChecksums() { return impl_->AddPageChecksums(); }
Status Store::EmptyWal() { return impl_->EmptyWal(); }

const Store::AccessCounters& Store::access_counters() const { return impl_->catalog().counters(); }

uint32_t Store::losses() const { return impl_->losses(); }
std::string Store::TakeWarning() { return impl_->TakeWarning(); }

void Store::Interrupt() {
  const std::lock_guard<std::mutex> lock(mutex_);
  impl_->connection().Interrupt();
  if (beside_) beside_->connection().Interrupt();
}

}  // namespace recall
