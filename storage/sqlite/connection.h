#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "storage/base/page_verification.h"
#include "storage/base/result.h"
#include "storage/sqlite/sqlite_features.h"
#include "storage/sqlite/statement.h"

struct sqlite3;

namespace recall {

class LentConnection;
class PageFile;

// kReadOnly changes nothing in the store, but may recover it after a crash and may create the -wal
// and -shm files that readers of a WAL need; the last close removes them.
//
// kCreate creates the file if it does not exist; the caller then gives it a schema.
//
// kScratch is a nameless database for data that do not fit into memory. It is stored in a file in
// the system's temporary directory, which a crash does not leave behind. `path` is only used in
// messages.
enum class ConnectionMode { kReadOnly, kReadWrite, kCreate, kScratch };

struct ConnectionOptions {
  ConnectionMode mode = ConnectionMode::kReadOnly;
  // How long a statement waits for another process's lock before it fails with Busy.
  int busy_timeout_ms = 10'000;
  // Called once, when a wait for another process has lasted one second.
  std::function<void()> on_long_wait = {};
  // The file is on read-only media (SQLite's immutable=1): no locks, no WAL. A reader selects this
  // automatically if it may not write to the file or its directory and there is no WAL. If the file
  // changes under such a reader after all, its answers may be wrong.
  bool immutable = false;
  // The index of the WAL is kept in memory, not in a file beside the store, and the connection
  // locks the file against all others. A reader selects this automatically if that file cannot be
  // written, as on a full disk.
  bool exclusive = false;
  // False: SQLite does not map the file into memory.
  bool enable_mapping = true;
  // When pages are compared with their checksums.
  PageVerification verify_pages = PageVerification::kFirstUse;
  // False: statements that name a virtual table fail, and PRAGMA integrity_check leaves them out.
  bool virtual_tables = true;
  // Which of SQLite's formats are used; by default ProcessFeatures().
  std::optional<SqliteFeatures> features = {};
};

// One SQLite connection with Recall's pragmas (docs/format/store.md, "Connection"), or the one of
// another program, as that program has set it up.
//
// A borrowed connection is read within the program's transaction, or, if that has none, within one
// that lasts from BeginRead to Rollback. It is neither closed nor interrupted, and no BEGIN, COMMIT
// or ROLLBACK is run on it: those belong to the program.
//
// Owned by one thread at a time; only Interrupt may be called from another.
class Connection final {
 public:
  static Result<std::unique_ptr<Connection>> Open(const std::string& path,
                                                  const ConnectionOptions& options);
  // Reads the database "main" of `lender`, which must be a file.
  static Result<std::unique_ptr<Connection>> Borrow(std::shared_ptr<LentConnection> lender,
                                                    const SqliteFeatures& features);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Begins a write transaction, which writes page 1 first: another program that copies the WAL or
  // the journal of this transaction into the file then leaves page 1 without a checksum, which
  // explains all others without one (page_checksum.h). Errors: Busy if another process's lasts
  // longer than the busy timeout; Cancelled if Interrupt is called during the wait.
  Status BeginImmediate();
  // Begins a read transaction. It takes its snapshot with the first read.
  Status BeginRead();
  // Ends the transaction, and discards what it has written.
  Status Rollback();
  // Runs statements and ignores their rows.
  Status Execute(std::string_view sql);
  // Prepares a statement, which the caller owns.
  Result<Statement> Prepare(std::string_view sql);
  // The connection's cached statement for this text, reset and without bindings. `sql` must be a
  // string literal: its address is the key. Use at most once at a time per text.
  Result<Statement*> Cached(const char* sql);
  // First column of the first row. Errors: Corruption if there is no row, because callers ask for
  // what every store has.
  Result<int64_t> QueryInt(std::string_view sql);
  Result<std::string> QueryText(std::string_view sql);

  int64_t LastInsertRowId() const;
  // Rows inserted, changed or deleted since the connection was opened.
  int64_t TotalChanges() const;
  // Makes the running statement, all later ones, and all waits fail with Cancelled, for good: one
  // that ended with the next write would be lost if it came just before. Execute still runs, so
  // that a transaction can end. Thread-safe.
  void Interrupt();
  bool interrupted() const { return interrupted_.load(std::memory_order_relaxed); }
  // Of a borrowed connection: whether BeginRead was called.
  bool InTransaction() const;
  bool borrowed() const { return lender_ != nullptr; }
  // Whether the file is no longer at the path where it was opened, as far as SQLite can tell.
  bool HasMoved() const;
  bool immutable() const { return immutable_; }
  // Whether no other connection can change the file, and no WAL has a part of it.
  bool has_file_alone() const { return has_file_alone_; }
  const SqliteFeatures& features() const { return features_; }

  // The bytes at the end of each page that SQLite leaves alone: kPageTrailerBytes if pages have
  // checksums, else 0.
  Result<uint32_t> ReservedBytes() const;
  // The next VACUUM gives the pages checksums. Requires: a WAL. With a rollback journal an
  // interrupted VACUUM would restore pages that have no room for them.
  Status ReserveForChecksums();
  // The main file; null for a scratch database.
  PageFile* page_file() const;

  // Waits until `ready` returns true, in the same way as a statement waits for another process's
  // lock, but begins to count anew as long as others commit: a queue advances, however long it is.
  // Requires: no transaction. Errors: Busy, Cancelled.
  Status WaitUntil(const std::function<bool()>& ready);

  // Sets how long statements wait for another process's lock.
  void SetBusyTimeout(int milliseconds) { busy_timeout_ms_ = milliseconds; }
  int busy_timeout_ms() const { return busy_timeout_ms_; }

  // Runs `install`, which registers SQL functions, unless it was run on this connection before.
  Status InstallOnce(Status (*install)(sqlite3* connection));

  // Converts an SQLite result code into a Status that names the file and suggests what to do.
  Status ToStatus(int sqlite_code, std::string_view doing) const;

  sqlite3* handle() const { return handle_; }
  const std::string& path() const { return path_; }

 private:
  Connection(std::string path, const ConnectionOptions& options, const SqliteFeatures& features);
  Status CannotOpen(int sqlite_code) const;

  static Result<std::unique_ptr<Connection>> OpenOnce(const std::string& path,
                                                      const ConnectionOptions& options);
  Status OpenHandle(const ConnectionOptions& options);
  // Makes the page file check the cells of each page once, if SQLite need not check them.
  bool ChecksCellsOnce(const ConnectionOptions& options);
  Status ApplyPragmas(const ConnectionOptions& options);
  // SQLite's busy handler: sleeps briefly and returns whether to retry.
  static int WaitForLock(void* connection, int attempt);
  bool WaitALittle(int attempt, int most_ms);
  Status InterruptedWhileWaiting() const;
  // Makes page 1 part of the transaction.
  Status TouchFirstPage();

  sqlite3* handle_ = nullptr;
  std::string path_;
  const SqliteFeatures features_;
  bool immutable_;
  bool has_file_alone_;
  int busy_timeout_ms_;
  std::function<void()> on_long_wait_;
  bool told_of_wait_ = false;
  int64_t wait_began_micros_ = 0;
  std::atomic<bool> interrupted_ = false;
  std::unordered_map<const char*, Statement> cached_;
  std::vector<Status (*)(sqlite3*)> installed_;
  std::shared_ptr<LentConnection> lender_;  // null: the connection is our own
  Statement reading_;  // of a borrowed connection: keeps the transaction open while it runs
};

}  // namespace recall
