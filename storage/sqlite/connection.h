#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "storage/base/result.h"
#include "storage/sqlite/statement.h"

struct sqlite3;

namespace recall {

enum class ConnectionMode { kReadOnly, kReadWrite, kCreate };

struct ConnectionOptions {
  ConnectionMode mode = ConnectionMode::kReadOnly;
  // How long a statement waits for another process's lock before it fails with Busy.
  int busy_timeout_ms = 10'000;
  // The file lies on media that nobody can write (SQLite's immutable=1): no locks, no WAL.
  bool immutable = false;
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
  // Makes the statement that is running fail with Cancelled. Thread-safe.
  void Interrupt();
  bool InTransaction() const;

  // Turns an SQLite result code into a Status that names the file and says what to do.
  Status ToStatus(int sqlite_code, std::string_view doing) const;

  sqlite3* handle() const { return handle_; }
  const std::string& path() const { return path_; }

 private:
  Connection(sqlite3* handle, std::string path) : handle_(handle), path_(std::move(path)) {}

  sqlite3* handle_;
  std::string path_;
  std::unordered_map<const char*, Statement> cached_;
};

}  // namespace recall
