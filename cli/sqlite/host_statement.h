#pragma once

// A statement of the host's connection.

#include <sqlite3.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "storage/base/result.h"

namespace recall {

// `name` in double quotes, for SQL.
std::string QuotedName(std::string_view name);

// The last error of a connection. Returns: Busy, NotEnoughMemory, Cancelled after an interrupt,
// else IoError, with the message of SQLite.
Status HostError(sqlite3* connection);

// Belongs to the thread of its connection, which must outlive it.
class HostStatement final {
 public:
  HostStatement() = default;
  HostStatement(HostStatement&& from) noexcept : statement_(std::exchange(from.statement_, {})) {}
  HostStatement& operator=(HostStatement&& from) noexcept {
    std::swap(statement_, from.statement_);
    return *this;
  }
  ~HostStatement() { sqlite3_finalize(statement_); }

  // Errors: as HostError.
  static Result<HostStatement> Prepare(sqlite3* connection, const std::string& sql);

  explicit operator bool() const { return statement_ != nullptr; }

  // Sets the parameter `number`, from 1. A text is copied.
  HostStatement& Bind(int number, int64_t value);
  HostStatement& Bind(int number, std::string_view text);
  HostStatement& Bind(int number, const std::optional<std::string>& text);
  HostStatement& Bind(int number, const sqlite3_value* value);
  // Returns: whether there is a row. Errors: as HostError.
  Result<bool> Step();
  // Runs it to its end, and resets it. Errors: as HostError.
  Status Run();
  // Ends it, and forgets its parameters: it holds no lock any more.
  void Reset();

  // Columns of the present row, from 0.
  int64_t Int(int column) const { return sqlite3_column_int64(statement_, column); }
  std::string Text(int column) const;
  std::optional<std::string> TextOrNull(int column) const;
  sqlite3_value* Value(int column) const { return sqlite3_column_value(statement_, column); }

 private:
  explicit HostStatement(sqlite3_stmt* statement) : statement_(statement) {}

  sqlite3_stmt* statement_ = nullptr;
};

// Resets a statement at the end of a block.
class StatementUse final {
 public:
  explicit StatementUse(HostStatement* statement) : statement_(statement) {}
  ~StatementUse() { statement_->Reset(); }
  StatementUse(const StatementUse&) = delete;
  StatementUse& operator=(const StatementUse&) = delete;

 private:
  HostStatement* const statement_;
};

}  // namespace recall
