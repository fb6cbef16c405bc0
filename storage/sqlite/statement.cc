#include "storage/sqlite/statement.h"

#include <sqlite3.h>

#include <utility>

#include "storage/base/check.h"
#include "storage/sqlite/sqlite_error.h"

namespace recall {

Statement::Statement(Statement&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)),
      interrupted_(other.interrupted_),
      bind_error_(std::exchange(other.bind_error_, 0)) {}

Statement& Statement::operator=(Statement&& other) noexcept {
  if (this != &other) {
    sqlite3_finalize(handle_);
    handle_ = std::exchange(other.handle_, nullptr);
    interrupted_ = other.interrupted_;
    bind_error_ = std::exchange(other.bind_error_, 0);
  }
  return *this;
}

Statement::~Statement() { sqlite3_finalize(handle_); }

void Statement::NoteBind(int code) {
  if (bind_error_ == SQLITE_OK) bind_error_ = code;
}

void Statement::BindInt(int parameter, int64_t value) {
  NoteBind(sqlite3_bind_int64(handle_, parameter, value));
}

void Statement::BindOptionalInt(int parameter, const std::optional<int64_t>& value) {
  value ? BindInt(parameter, *value) : BindNull(parameter);
}

void Statement::BindDouble(int parameter, double value) {
  NoteBind(sqlite3_bind_double(handle_, parameter, value));
}

void Statement::BindNumber(int parameter, const Number& value) {
  if (value.is_integer) return BindInt(parameter, value.integer);
  BindDouble(parameter, value.real);
}

void Statement::BindText(int parameter, std::string_view value) {
  // A null pointer would bind NULL, not the empty text.
  const char* text = value.data() ? value.data() : "";
  NoteBind(sqlite3_bind_text64(handle_, parameter, text, value.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::BindOptionalText(int parameter, const std::optional<std::string>& value) {
  value ? BindText(parameter, *value) : BindNull(parameter);
}

void Statement::BindBlob(int parameter, ByteSpan value) {
  const void* data = value.empty() ? "" : static_cast<const void*>(value.data());
  NoteBind(sqlite3_bind_blob64(handle_, parameter, data, value.size(), SQLITE_STATIC));
}

void Statement::BindNull(int parameter) { NoteBind(sqlite3_bind_null(handle_, parameter)); }

void Statement::BindPointer(int parameter, void* pointer, const char* type) {
  NoteBind(sqlite3_bind_pointer(handle_, parameter, pointer, type, nullptr));
}

Result<bool> Statement::Step() {
  RECALL_CHECK(handle_ != nullptr);
  sqlite3* const connection = sqlite3_db_handle(handle_);
  if (bind_error_ != SQLITE_OK) {
    return Fail(StatusFromSqlite(connection, bind_error_, "bind a parameter"));
  }
  if (interrupted_ != nullptr && interrupted_->load(std::memory_order_relaxed)) {
    return Fail(StatusFromSqlite(connection, SQLITE_INTERRUPT, "read the store"));
  }
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  const char* const doing =
      sqlite3_stmt_readonly(handle_) ? "read the store" : "write to the store";
  return Fail(StatusFromSqlite(connection, sqlite3_extended_errcode(connection), doing));
}

Status Statement::Run() {
  const Result<bool> row = Step();
  Reset();
  return row ? Status() : row.error();
}

void Statement::Reset() {
  // sqlite3_reset returns the error of the last Step, which was already reported.
  sqlite3_reset(handle_);
  sqlite3_clear_bindings(handle_);
  bind_error_ = SQLITE_OK;
}

int64_t Statement::ColumnInt(int column) const { return sqlite3_column_int64(handle_, column); }

double Statement::ColumnDouble(int column) const { return sqlite3_column_double(handle_, column); }

std::string_view Statement::ColumnText(int column) const {
  // In this order, because reading the text may convert the value and so change its size.
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  const int size = sqlite3_column_bytes(handle_, column);
  return text ? std::string_view(text, static_cast<size_t>(size)) : std::string_view();
}

ByteSpan Statement::ColumnBlob(int column) const {
  const auto* blob = static_cast<const uint8_t*>(sqlite3_column_blob(handle_, column));
  const int size = sqlite3_column_bytes(handle_, column);
  return blob ? ByteSpan(blob, static_cast<size_t>(size)) : ByteSpan();
}

bool Statement::ColumnIsNull(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

bool Statement::ColumnIsInteger(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_INTEGER;
}

bool Statement::ColumnIsText(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_TEXT;
}

bool Statement::ColumnIsBlob(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_BLOB;
}

std::optional<int64_t> Statement::ColumnOptionalInt(int column) const {
  // SQLite returns 0 for NULL, so the type is only queried for 0.
  const int64_t value = ColumnInt(column);
  return value == 0 && ColumnIsNull(column) ? std::nullopt : std::optional(value);
}

std::optional<std::string> Statement::ColumnOptionalText(int column) const {
  return ColumnIsNull(column) ? std::nullopt : std::optional(std::string(ColumnText(column)));
}

}  // namespace recall
