#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "storage/base/result.h"
#include "storage/sqlite/page_watch.h"
#include "storage/sqlite/statement.h"

struct sqlite3;

namespace recall {

// kReadOnly changes nothing in the store, but may recover it after a crash and may make the -wal
// and -shm files that readers of a WAL need; the last close removes them.
// kCreate makes the file when there is none; the caller then gives it a schema.
// kScratch is a database without a name, for what does not fit into memory: in a file of the
// system's temporary directory that no crash leaves behind. `path` is only used in messages.
enum class ConnectionMode { kReadOnly, kReadWrite, kCreate, kScratch };

struct ConnectionOptions {
  ConnectionMode mode = ConnectionMode::kReadOnly;
  // How long a statement waits for another process's lock before it fails with Busy.
  int busy_timeout_ms = 10'000;
  // Called once, when a wait for another process has lasted for a second.
  std::function<void()> on_long_wait = {};
  // The file lies on media that nobody can write (SQLite's immutable=1): no locks, no WAL.
  // A reader chooses it by itself where it may not write to the file or its directory and no WAL
  // is there. Should the file change under such a reader after all, its answers may be wrong.
  bool immutable = false;
  // False: SQLite reads the file by copy only.
  bool enable_mapping = true;
};

// One SQLite connection with Recall's pragmas in force (docs/format/store.md, "Connection").
// Owned by one thread at a time; only Interrupt may be called from another.
class Connection final {
 public:
  static Result<std::unique_ptr<Connection>> Open(const std::string& path,
                                                  const ConnectionOptions& options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Begins a write transaction. Errors: Busy when another process's lasts longer than the busy
  // timeout; Cancelled when Interrupt comes while this waits for it.
  Status BeginImmediate();
  // Runs statements that return nothing of interest.
  Status Execute(std::string_view sql);
  // A statement of the caller's own.
  Result<Statement> Prepare(std::string_view sql);
  // The connection's cached statement for this text, reset and without bindings. `sql` must be a
  // string literal: its address is the key. Use at most once at a time per text.
  Result<Statement*> Cached(const char* sql);
  // First column of the first row; NotFound when there is no row.
  Result<int64_t> QueryInt(std::string_view sql);
  Result<std::string> QueryText(std::string_view sql);

  int64_t LastInsertRowId() const;
  // Rows inserted, changed or deleted since the connection was opened.
  int64_t TotalChanges() const;
  // Makes the statement that is running fail with Cancelled. Thread-safe.
  void Interrupt();
  bool InTransaction() const;
  bool immutable() const { return immutable_; }

  // Waits until `ready` says true, as a statement waits for another process's lock. Errors: Busy,
  // Cancelled.
  Status WaitUntil(const std::function<bool()>& ready);

  // Sets how long statements wait for another process's lock.
  void SetBusyTimeout(int milliseconds) { busy_timeout_ms_ = milliseconds; }
  int busy_timeout_ms() const { return busy_timeout_ms_; }

  // Runs `install`, which registers SQL functions, unless it was run on this connection before.
  Status InstallOnce(Status (*install)(sqlite3* connection));

  // Turns an SQLite result code into a Status that names the file and says what to do.
  Status ToStatus(int sqlite_code, std::string_view doing) const;

  sqlite3* handle() const { return handle_; }
  const std::string& path() const { return path_; }

 private:
  Connection(std::string path, const ConnectionOptions& options);

  static Result<std::unique_ptr<Connection>> OpenOnce(const std::string& path,
                                                      const ConnectionOptions& options);
  Status OpenHandle(const ConnectionOptions& options);
  Status ApplyPragmas(const ConnectionOptions& options);
  // SQLite's busy handler: waits a little and says whether to try again.
  static int WaitForLock(void* connection, int attempt);
  bool WaitALittle(int attempt, int most_ms);
  Status InterruptedWhileWaiting() const;

  sqlite3* handle_ = nullptr;
  std::string path_;
  bool immutable_;
  int busy_timeout_ms_;
  std::function<void()> on_long_wait_;
  bool told_of_wait_ = false;
  int64_t wait_began_micros_ = 0;
  std::atomic<bool> interrupted_ = false;
  PageWatch watch_;
  std::unordered_map<const char*, Statement> cached_;
  std::vector<Status (*)(sqlite3*)> installed_;
};

}  // namespace recall
