#pragma once

// Values of SQL, and errors as SQLite reports them.

#include <sqlite3.h>

#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// Runs a callback of SQLite. Exceptions become result codes.
template <typename Run>
int RunCallback(const Run& run) noexcept {
  try {
    return run();
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (...) {
    return SQLITE_INTERNAL;
  }
}

// The text of a value; nullopt for NULL. `name`: of the argument. Errors: InvalidArgument for a
// BLOB, for bytes that are no UTF-8, and for a text with a zero byte.
Result<std::optional<std::string>> TextOfValue(sqlite3_value* value, const char* name);

// The result code of SQLite for an error.
int SqliteCodeOf(const Status& status);

// Makes `status` the error of a function. `function`: its name.
void ReportError(sqlite3_context* context, const char* function, const Status& status);

// Makes `status` the error of a virtual table. Returns: the result code.
int ReportError(sqlite3_vtab* table, const char* function, const Status& status);

// Sets the result of a function or a column to a copy of the text.
void SetResult(sqlite3_context* context, std::string_view text);

}  // namespace recall
