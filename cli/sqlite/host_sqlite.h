#pragma once

#include <string>

struct sqlite3_api_routines;

namespace recall {

// Lets all calls of SQLite in this library go to the copy of SQLite that has loaded it, for the
// rest of the process. Returns: "", or why that copy cannot be used: it is too old, was built
// without a function that is needed, or is another one than that which loaded the library before.
// Thread-safe.
std::string UseHostSqlite(const sqlite3_api_routines* routines);

}  // namespace recall
