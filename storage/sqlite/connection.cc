#include "storage/sqlite/connection.h"

#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "storage/base/check.h"
#include "storage/base/clock.h"
#include "storage/base/hosted.h"
#include "storage/sqlite/lent_connection.h"
#include "storage/sqlite/page_checksum.h"
#include "storage/sqlite/page_vfs.h"
#include "storage/sqlite/sqlite_error.h"

namespace recall {
namespace {

// Every value is set explicitly, because Debian's SQLite has other defaults (secure_delete is on).
constexpr const char* kCommonPragmas = "PRAGMA temp_store=MEMORY";
// Settings of a new file; they have no effect on an existing one.
constexpr const char* kCreatePragmas =
    "PRAGMA page_size=65536; PRAGMA auto_vacuum=0; PRAGMA encoding='UTF-8';";
// Store runs a checkpoint after each commit, so SQLite's automatic ones are off.
constexpr const char* kWriterPragmas =
    "PRAGMA cache_size=-65536; PRAGMA secure_delete=OFF; PRAGMA synchronous=EXTRA;"
    "PRAGMA journal_size_limit=67108864; PRAGMA wal_autocheckpoint=0; PRAGMA mmap_size=0;";
constexpr const char* kReaderPragmas = "PRAGMA query_only=ON; PRAGMA cache_size=-16384;";
// A scratch database does not outlive its connection, so it need not survive a crash.
constexpr const char* kScratchPragmas =
    "PRAGMA temp_store=FILE; PRAGMA cache_size=-16384; PRAGMA journal_mode=MEMORY;"
    "PRAGMA synchronous=OFF; PRAGMA secure_delete=OFF;";
constexpr const char* kMapPragma = "PRAGMA mmap_size=2147418112";
constexpr const char* kNoMapPragma = "PRAGMA mmap_size=0";
constexpr int64_t kLongWaitMicros = 1'000'000;
// Polling intervals. The writer at the head of the queue polls more often: nothing is written until
// it notices.
constexpr int kLockPollMs = 20;
constexpr int kTurnPollMs = 2;
// The value changes with each commit of another connection.
constexpr const char* kDataVersion = "PRAGMA data_version";

// The path without symbolic links: SQLite keeps the WAL beside the resolved file.
std::string RealPath(const std::string& path) {
  std::error_code missing;
  const std::filesystem::path real = std::filesystem::canonical(path, missing);
  return missing ? path : real.string();
}

// Returns the path in a form that SQLite does not interpret. ":memory:" and "file:x" have a special
// meaning, but names that begin with "./" or "/" have none.
std::string PlainName(const std::string& path) {
  return path.starts_with('/') ? path : "./" + path;
}

// A file: URI, in which '%', '?' and '#' must be escaped.
std::string ImmutableUri(const std::string& path) {
  std::string uri = "file://";
  for (char c : RealPath(path)) {
    constexpr char kHex[] = "0123456789ABCDEF";
    if (c == '%' || c == '?' || c == '#') {
      uri += {'%', kHex[c >> 4], kHex[c & 15]};
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

bool IsEmptyOrMissing(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) != 0 || info.st_size == 0;
}

// Readers of a WAL create files beside the store and remove them at the end. Creating them needs
// write permission for the directory, removing them for the store.
bool CanKeepWal(const std::string& real_path) {
  const std::string parent = std::filesystem::path(real_path).parent_path().string();
  return ::access(real_path.c_str(), W_OK) == 0 && ::access(parent.c_str(), W_OK) == 0;
}

// Whether files in the directory of the store may be unable to grow: the disk is full, has no inode
// left, or the process has a limit on the size of files. Quotas of users are not noticed.
bool LacksRoom(const std::string& path) {
  constexpr uint64_t kWalIndexBytes = 32768;
  struct statvfs disk;
  if (::statvfs(path.c_str(), &disk) == 0 && disk.f_bavail * disk.f_frsize < kWalIndexBytes) {
    return true;
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < kWalIndexBytes) return true;
  return HasNoInodes(path.c_str());
}

// Disables features that a hostile schema could use; a store has neither triggers nor views.
void Harden(sqlite3* handle) {
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
}

Status NoRow(const std::string& path, std::string_view sql) {
  return Status::Corruption(path + ": no row for " + std::string(sql),
                            "run `recall doctor`, or restore the store from a backup");
}

}  // namespace

Connection::Connection(std::string path, const ConnectionOptions& options,
                       const SqliteFeatures& features)
    : path_(std::move(path)),
      features_(features),
      immutable_(options.immutable),
      has_file_alone_(options.exclusive && IsEmptyOrMissing(RealPath(path_) + "-wal")),
      busy_timeout_ms_(options.busy_timeout_ms),
      on_long_wait_(options.on_long_wait) {}

Connection::~Connection() {
  cached_.clear();
  if (borrowed()) return;
  // Fails only if a statement of this connection still exists, which the contract forbids.
  RECALL_CHECK(sqlite3_close(handle_) == SQLITE_OK);
}

Result<std::unique_ptr<Connection>> Connection::Open(const std::string& path,
                                                     const ConnectionOptions& options) {
  const std::string real_path = RealPath(path);
  if (options.mode != ConnectionMode::kReadOnly || options.immutable) {
    return OpenOnce(path, options);
  }
  if (CanKeepWal(real_path)) {
    auto opened = OpenOnce(path, options);
    if (opened || opened.error().code() != StatusCode::kIoError || !LacksRoom(real_path)) {
      return opened;
    }
    // A reader that is alone does not need the files of the WAL.
    ConnectionOptions alone = options;
    alone.exclusive = true;
    auto reopened = OpenOnce(path, alone);
    if (!reopened && HasNoInodes(real_path.c_str()) && IsEmptyOrMissing(real_path + "-wal")) {
      // Not even an empty file can be made. As on read-only media, there is nothing but the store.
      alone.immutable = true;
      reopened = OpenOnce(path, alone);
    }
    return reopened ? std::move(reopened) : std::move(opened);
  }
  const std::string wal = real_path + "-wal";
  if (IsEmptyOrMissing(wal)) {
    // No other process appears to write, and the store's file is complete.
    ConnectionOptions alone = options;
    alone.immutable = true;
    return OpenOnce(path, alone);
  }
  // Another process may have created the WAL's shared index, which this one can then use.
  Result<std::unique_ptr<Connection>> opened = OpenOnce(path, options);
  if (opened || opened.error().code() != StatusCode::kIoError) return opened;
  return Fail(Status::IoError(
      path + ": recent changes are still in " + wal + ", which this user cannot read",
      "open the store once as a user who has write permission for the file and its directory"));
}

Result<std::unique_ptr<Connection>> Connection::Borrow(std::shared_ptr<LentConnection> lender,
                                                       const SqliteFeatures& features) {
  const char* const file = sqlite3_db_filename(lender->handle(), "main");
  if (file == nullptr || *file == '\0') {
    return Fail(Status::InvalidArgument("the database of this connection is not a file",
                                        "open a store in a file"));
  }
  std::unique_ptr<Connection> connection(new Connection(file, ConnectionOptions(), features));
  connection->handle_ = lender->handle();
  connection->lender_ = std::move(lender);
  return connection;
}

// Only possible before the process first uses SQLite; later the calls have no effect. The SQLite of
// a program of others may be the same library, and is as that program wants it.
void ConfigureSqlite() {
  if (IsHosted()) return;
  static const bool configured = [] {
    // No global memory statistics, so that allocations take no lock; an ingest allocates often.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    // SQLite would allocate 20 pages of 64 KiB at the start. A reader copies few pages, because
    // most are mapped, and linking the empty ones into a list would cost a page fault for each.
    sqlite3_config(SQLITE_CONFIG_PAGECACHE, nullptr, 0, 0);
    return true;
  }();
  static_cast<void>(configured);
}

Result<std::unique_ptr<Connection>> Connection::OpenOnce(const std::string& path,
                                                         const ConnectionOptions& options) {
  ConfigureSqlite();
  RECALL_ASSIGN(const SqliteFeatures features, FeaturesInUse(options.features));
  std::unique_ptr<Connection> connection(new Connection(path, options, features));
  RECALL_TRY(connection->OpenHandle(options));
  RECALL_TRY(connection->ApplyPragmas(options));
  return connection;
}

Status Connection::OpenHandle(const ConnectionOptions& options) {
  const bool scratch = options.mode == ConnectionMode::kScratch;
  struct stat info;
  if (options.mode != ConnectionMode::kCreate && !scratch && ::stat(path_.c_str(), &info) != 0 &&
      errno == ENOENT) {
    return Status::StoreNotFound(path_ + ": no such store", "create it with `recall init`");
  }
  // Readers request write access, too, because it is needed to recover a WAL and to remove it at
  // the end. SQLite falls back to read-only if the file is write-protected.
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE;
  if (options.immutable) flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
  if (options.mode == ConnectionMode::kCreate || scratch) flags |= SQLITE_OPEN_CREATE;
  const std::string name = scratch             ? std::string()
                           : options.immutable ? ImmutableUri(path_)
                                               : PlainName(path_);
  const int code = sqlite3_open_v2(name.c_str(), &handle_, flags, scratch ? nullptr : PageVfs());
  if (code != SQLITE_OK) return CannotOpen(code);
  Harden(handle_);
  if (!options.virtual_tables) sqlite3_drop_modules(handle_, nullptr);
  if (PageFile* const pages = page_file()) pages->SetVerification(options.verify_pages);
  sqlite3_busy_handler(handle_, &Connection::WaitForLock, this);
  const bool wants_write = options.mode != ConnectionMode::kReadOnly;
  if (wants_write && sqlite3_db_readonly(handle_, "main") != 0) {
    return ToStatus(SQLITE_READONLY, "open the store for writing");
  }
  return Status::Ok();
}

bool Connection::ChecksCellsOnce(const ConnectionOptions& options) {
  // Pages of a WAL come from another file, whose cells only SQLite checks.
  return options.mode == ConnectionMode::kReadOnly && features_.file_format &&
         options.enable_mapping && page_file() &&
         IsEmptyOrMissing(sqlite3_filename_wal(sqlite3_db_filename(handle_, "main"))) &&
         page_file()->CheckCells();
}

Status Connection::ApplyPragmas(const ConnectionOptions& options) {
  RECALL_TRY(Execute(kCommonPragmas));
  if (options.exclusive) RECALL_TRY(Execute("PRAGMA locking_mode=EXCLUSIVE"));
  RECALL_TRY(Execute(ChecksCellsOnce(options) ? "PRAGMA cell_size_check=OFF"
                                              : "PRAGMA cell_size_check=ON"));
  switch (options.mode) {
    case ConnectionMode::kReadOnly:
      // One transaction: otherwise each statement takes a reader's lock and returns it.
      RECALL_TRY(Execute("BEGIN"));
      RECALL_TRY(Execute(kReaderPragmas));
      RECALL_TRY(Execute(options.enable_mapping ? kMapPragma : kNoMapPragma));
      break;
    case ConnectionMode::kCreate:
      RECALL_TRY(Execute(kCreatePragmas));
      RECALL_TRY(ReserveForChecksums());
      RECALL_TRY(Execute(kWriterPragmas));
      RECALL_TRY(Execute("PRAGMA journal_mode=WAL"));
      break;
    case ConnectionMode::kReadWrite:
      RECALL_TRY(Execute(kWriterPragmas));
      break;
    case ConnectionMode::kScratch:
      RECALL_TRY(Execute(kScratchPragmas));
      break;
  }
  // The first read recovers the WAL and detects problems of the file or its directory.
  RECALL_TRY(QueryInt("SELECT count(*) FROM sqlite_schema"));
  return InTransaction() ? Execute("COMMIT") : Status::Ok();
}

int Connection::WaitForLock(void* connection, int attempt) {
  return static_cast<Connection*>(connection)->WaitALittle(attempt, kLockPollMs) ? 1 : 0;
}

bool Connection::WaitALittle(int attempt, int most_ms) {
  if (attempt == 0) wait_began_micros_ = SteadyMicros();
  const int64_t waited = SteadyMicros() - wait_began_micros_;
  if (interrupted_ || waited >= busy_timeout_ms_ * int64_t{1000}) return false;
  if (waited >= kLongWaitMicros && on_long_wait_ && !std::exchange(told_of_wait_, true)) {
    on_long_wait_();
  }
  // Commits are short, so the first retries follow soon.
  std::this_thread::sleep_for(std::chrono::milliseconds(std::min(1 + attempt, most_ms)));
  return true;
}

Status Connection::WaitUntil(const std::function<bool()>& ready) {
  while (!ready()) {
    RECALL_ASSIGN(const int64_t before, QueryInt(kDataVersion));
    for (int attempt = 0; WaitALittle(attempt, kTurnPollMs); ++attempt) {
      if (ready()) return Status::Ok();
    }
    if (interrupted_) return InterruptedWhileWaiting();
    RECALL_ASSIGN(const int64_t after, QueryInt(kDataVersion));
    if (after == before) return ToStatus(SQLITE_BUSY, "write to the store");
  }
  return Status::Ok();
}

Status Connection::BeginImmediate() {
  const Status begun = Execute("BEGIN IMMEDIATE");
  if (begun.code() == StatusCode::kBusy && interrupted_) return InterruptedWhileWaiting();
  RECALL_TRY(begun);
  const Status touched = TouchFirstPage();
  if (!touched.ok() && InTransaction()) Execute("ROLLBACK").IgnoreError();
  return touched;
}

// SQLite ends a transaction that no BEGIN has begun when no statement runs any more. The program's
// own statement need not read "main".
Status Connection::BeginRead() {
  if (!borrowed()) return Execute("BEGIN");
  RECALL_ASSIGN(Statement reading, Prepare("SELECT 1 FROM main.sqlite_schema"));
  RECALL_ASSIGN([[maybe_unused]] const bool row, reading.Step());
  reading_ = std::move(reading);
  return Status::Ok();
}

Status Connection::Rollback() {
  if (!borrowed()) return Execute("ROLLBACK");
  for (auto& [sql, statement] : cached_) statement.Reset();
  reading_ = Statement();
  return Status::Ok();
}

Status Connection::TouchFirstPage() {
  RECALL_ASSIGN(const int64_t version, QueryInt("PRAGMA user_version"));
  return Execute("PRAGMA user_version=" + std::to_string(version));
}

Status Connection::InterruptedWhileWaiting() const {
  return Status::Cancelled(path_ + ": interrupted while another process was writing");
}

Status Connection::Execute(std::string_view sql) {
  while (!sql.empty()) {
    sqlite3_stmt* handle = nullptr;
    const char* rest = nullptr;
    const int code =
        sqlite3_prepare_v2(handle_, sql.data(), static_cast<int>(sql.size()), &handle, &rest);
    if (code != SQLITE_OK) return ToStatus(code, "read the store");
    sql.remove_prefix(static_cast<size_t>(rest - sql.data()));
    if (!handle) continue;  // only a comment or white space was left
    Statement statement(handle);
    for (bool row = true; row;) {
      RECALL_ASSIGN(row, statement.Step());
    }
  }
  return Status::Ok();
}

Result<Statement> Connection::Prepare(std::string_view sql) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  if (code != SQLITE_OK) return Fail(ToStatus(code, "read the store"));
  return Statement(handle, &interrupted_);
}

Result<Statement*> Connection::Cached(const char* sql) {
  const auto found = cached_.find(sql);
  if (found != cached_.end()) {
    found->second.Reset();
    return &found->second;
  }
  RECALL_ASSIGN(Statement statement, Prepare(sql));
  return &cached_.emplace(sql, std::move(statement)).first->second;
}

Result<int64_t> Connection::QueryInt(std::string_view sql) {
  RECALL_ASSIGN(Statement statement, Prepare(sql));
  RECALL_ASSIGN(const bool row, statement.Step());
  if (!row) return Fail(NoRow(path_, sql));
  return statement.ColumnInt(0);
}

Result<std::string> Connection::QueryText(std::string_view sql) {
  RECALL_ASSIGN(Statement statement, Prepare(sql));
  RECALL_ASSIGN(const bool row, statement.Step());
  if (!row) return Fail(NoRow(path_, sql));
  return std::string(statement.ColumnText(0));
}

int64_t Connection::TotalChanges() const { return sqlite3_total_changes64(handle_); }

PageFile* Connection::page_file() const { return PageFile::Of(handle_); }

int64_t Connection::LastInsertRowId() const { return sqlite3_last_insert_rowid(handle_); }

Result<uint32_t> Connection::ReservedBytes() const {
  int reserved = -1;  // -1 queries the value
  const int code = sqlite3_file_control(handle_, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
  if (code != SQLITE_OK) return Fail(ToStatus(code, "read the page layout"));
  return static_cast<uint32_t>(reserved);
}

Status Connection::ReserveForChecksums() {
  int reserved = kPageTrailerBytes;
  const int code = sqlite3_file_control(handle_, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
  return code == SQLITE_OK ? Status::Ok() : ToStatus(code, "reserve room for checksums");
}

void Connection::Interrupt() {
  interrupted_ = true;
  if (!borrowed()) sqlite3_interrupt(handle_);
}

bool Connection::InTransaction() const {
  return borrowed() ? reading_.prepared() : sqlite3_get_autocommit(handle_) == 0;
}

bool Connection::HasMoved() const {
  int moved = 1;
  const int code = sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return code != SQLITE_OK || moved != 0;
}

Status Connection::InstallOnce(Status (*install)(sqlite3* connection)) {
  auto& installed = borrowed() ? lender_->installed() : installed_;
  if (std::ranges::count(installed, install) > 0) return Status::Ok();
  RECALL_TRY(install(handle_));
  installed.push_back(install);
  return Status::Ok();
}

// SQLite does not know the path of a file that it could not open, so this message adds it.
Status Connection::CannotOpen(int sqlite_code) const {
  const int cause = handle_ ? sqlite3_system_errno(handle_) : 0;
  if ((sqlite_code & 0xff) != SQLITE_CANTOPEN || cause == 0) {
    return ToStatus(sqlite_code, "open the store");
  }
  return Status::IoError(path_ + ": cannot open the store: " + std::strerror(cause),
                         "check that the directory exists and that you may read and write it");
}

Status Connection::ToStatus(int sqlite_code, std::string_view doing) const {
  return StatusFromSqlite(handle_, sqlite_code, doing);
}

}  // namespace recall
