#include "cli/sqlite/host_statement.h"

namespace recall {

std::string QuotedName(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

Status HostError(sqlite3* connection) {
  const std::string message = sqlite3_errmsg(connection);
  switch (sqlite3_errcode(connection) & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Status::Busy(message);
    case SQLITE_NOMEM:
      return Status::NotEnoughMemory();
    case SQLITE_INTERRUPT:
      return Status::Cancelled(message);
    default:
      return Status::IoError(message);
  }
}

Result<HostStatement> HostStatement::Prepare(sqlite3* connection, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(connection, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
    return Fail(HostError(connection));
  }
  return HostStatement(statement);
}

HostStatement& HostStatement::Bind(int number, int64_t value) {
  sqlite3_bind_int64(statement_, number, value);
  return *this;
}

HostStatement& HostStatement::Bind(int number, std::string_view text) {
  const char* const bytes = text.data() == nullptr ? "" : text.data();
  sqlite3_bind_text64(statement_, number, bytes, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

HostStatement& HostStatement::Bind(int number, const std::optional<std::string>& text) {
  if (text) return Bind(number, std::string_view(*text));
  sqlite3_bind_null(statement_, number);
  return *this;
}

HostStatement& HostStatement::Bind(int number, const sqlite3_value* value) {
  sqlite3_bind_value(statement_, number, value);
  return *this;
}

Result<bool> HostStatement::Step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW || code == SQLITE_DONE) return code == SQLITE_ROW;
  return Fail(HostError(sqlite3_db_handle(statement_)));
}

Status HostStatement::Run() {
  const StatementUse use(this);
  Result<bool> row = true;
  while (row && *row) row = Step();
  return row ? Status::Ok() : row.error();
}

void HostStatement::Reset() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

std::string HostStatement::Text(int column) const {
  const auto* const bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (bytes == nullptr) return "";
  return {bytes, static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

std::optional<std::string> HostStatement::TextOrNull(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
  return Text(column);
}

}  // namespace recall
