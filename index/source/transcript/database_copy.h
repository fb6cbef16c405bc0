#pragma once

#include <memory>
#include <string>

#include "index/source/transcript/transcript.h"
#include "storage/sqlite/connection.h"

namespace recall {

// A copy of another program's SQLite database, with its "-wal", in a private directory that is
// removed with its owner. So nothing is written beside the original and nobody waits for us.
class DatabaseCopy final {
 public:
  // Errors: NotFound, IoError, LimitExceeded, Busy (it changed during each of several attempts),
  // Corruption (no database).
  static Result<std::unique_ptr<DatabaseCopy>> Open(const std::string& path,
                                                    const TranscriptLimits& limits);
  ~DatabaseCopy();
  DatabaseCopy(const DatabaseCopy&) = delete;
  DatabaseCopy& operator=(const DatabaseCopy&) = delete;

  Connection& connection() { return *connection_; }
  // Whether it has a table of this name, which is no view.
  Result<bool> HasTable(std::string_view name);
  Result<bool> HasColumn(std::string_view table, std::string_view column);

 private:
  explicit DatabaseCopy(std::string directory) : directory_(std::move(directory)) {}

  Status CopyFrom(const std::string& path, const TranscriptLimits& limits);

  std::string directory_;
  std::unique_ptr<Connection> connection_;
};

// The error of a statement on another program's database: what SQLite says is Corruption.
Status ForeignDatabaseError(const std::string& path, const Status& error);

}  // namespace recall
