#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/coding.h"
#include "storage/base/number.h"
#include "storage/base/result.h"

struct sqlite3_stmt;

namespace recall {

// One prepared SQL statement. Parameters and columns are numbered as in SQLite: parameters from
// 1, columns from 0. Not thread-safe; must not outlive its Connection.
//
//   Statement& find = ...;           // from Connection::Prepare
//   find.BindText(1, path);
//   RECALL_ASSIGN(bool row, find.Step());
//   if (row) use(find.ColumnInt(0));
//   find.Reset();
class Statement final {
 public:
  Statement() = default;
  // `interrupted`: Step fails once it is true, so that many short statements can be interrupted as
  // one long statement can. Null: never. Must outlive the statement.
  explicit Statement(sqlite3_stmt* handle, const std::atomic<bool>* interrupted = nullptr)
      : handle_(handle), interrupted_(interrupted) {}
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&& other) noexcept;
  ~Statement();

  void BindInt(int parameter, int64_t value);
  void BindOptionalInt(int parameter, const std::optional<int64_t>& value);
  void BindDouble(int parameter, double value);
  void BindNumber(int parameter, const Number& value);
  // Text and blobs are not copied: they must stay alive and unchanged until Reset.
  void BindText(int parameter, std::string_view value);
  void BindOptionalText(int parameter, const std::optional<std::string>& value);
  void BindBlob(int parameter, ByteSpan value);
  void BindNull(int parameter);
  // Passes an object to one of Recall's SQL functions (sqlite3_bind_pointer); SQL sees NULL.
  void BindPointer(int parameter, void* pointer, const char* type);

  // Returns: true if there is a row, false if the statement is done. Errors: Cancelled after
  // Connection::Interrupt.
  Result<bool> Step();
  // Runs a statement that returns no rows, then resets it; the bindings are used once.
  Status Run();
  // Resets the statement for new parameters. Invalidates column texts and blobs.
  void Reset();

  int64_t ColumnInt(int column) const;
  double ColumnDouble(int column) const;
  std::string_view ColumnText(int column) const;  // valid until the next Step or Reset
  ByteSpan ColumnBlob(int column) const;          // valid until the next Step or Reset
  bool ColumnIsNull(int column) const;
  bool ColumnIsInteger(int column) const;
  bool ColumnIsText(int column) const;
  bool ColumnIsBlob(int column) const;
  std::optional<int64_t> ColumnOptionalInt(int column) const;
  std::optional<std::string> ColumnOptionalText(int column) const;

  // False for a default-constructed one.
  bool prepared() const { return handle_ != nullptr; }

 private:
  // Records the first bind that failed; Step reports it.
  void NoteBind(int code);

  sqlite3_stmt* handle_ = nullptr;
  const std::atomic<bool>* interrupted_ = nullptr;
  int bind_error_ = 0;
};

// Resets a shared statement at the end of the scope, so that no read cursor stays open after an
// early return.
class StatementScope final {
 public:
  explicit StatementScope(Statement* statement) : statement_(statement) {}
  ~StatementScope() { statement_->Reset(); }
  StatementScope(const StatementScope&) = delete;
  StatementScope& operator=(const StatementScope&) = delete;
  Statement* operator->() const { return statement_; }
  Statement& operator*() const { return *statement_; }

 private:
  Statement* statement_;
};

}  // namespace recall
