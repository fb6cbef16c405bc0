#include "cli/sqlite/host_value.h"

#include <sqlite3.h>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

std::string MessageOf(const char* function, const Status& status) {
  std::string message = std::string(function) + ": " + std::string(status.message());
  if (!status.hint().empty()) message += " (" + std::string(status.hint()) + ")";
  return message;
}

}  // namespace

Result<std::optional<std::string>> TextOfValue(sqlite3_value* value, const char* name) {
  const int type = sqlite3_value_type(value);
  if (type == SQLITE_NULL) return std::optional<std::string>();
  if (type == SQLITE_BLOB) {
    return Fail(Status::InvalidArgument(std::string(name) + " must be a text, not a BLOB"));
  }
  const auto* const bytes = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (bytes == nullptr) return Fail(Status::NotEnoughMemory());
  std::string text(bytes, static_cast<size_t>(sqlite3_value_bytes(value)));
  if (!IsValidUtf8(text) || text.find('\0') != std::string::npos) {
    return Fail(Status::InvalidArgument(std::string(name) + " is not UTF-8 without zero bytes"));
  }
  return std::optional(std::move(text));
}

int SqliteCodeOf(const Status& status) {
  switch (status.code()) {
    case StatusCode::kBusy:
      return SQLITE_BUSY;
    case StatusCode::kCancelled:  // by sqlite3_interrupt, or a progress handler of the host
      return SQLITE_INTERRUPT;
    case StatusCode::kNotEnoughMemory:
      return SQLITE_NOMEM;
    default:
      return SQLITE_ERROR;
  }
}

void ReportError(sqlite3_context* context, const char* function, const Status& status) {
  const int code = SqliteCodeOf(status);
  // SQLite's own statements say "interrupted", and nothing more.
  if (code == SQLITE_INTERRUPT) return sqlite3_result_error_code(context, code);
  sqlite3_result_error(context, MessageOf(function, status).c_str(), -1);
  if (code != SQLITE_ERROR) sqlite3_result_error_code(context, code);
}

int ReportError(sqlite3_vtab* table, const char* function, const Status& status) {
  const int code = SqliteCodeOf(status);
  sqlite3_free(table->zErrMsg);
  table->zErrMsg = code == SQLITE_INTERRUPT
                       ? nullptr
                       : sqlite3_mprintf("%s", MessageOf(function, status).c_str());
  return code;
}

void SetResult(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

}  // namespace recall
