#pragma once

#include <string_view>

#include "storage/base/status.h"

struct sqlite3;

namespace recall {

// Turns SQLite's result code, with the connection's last message, into a Status that names the
// file and says what to do. `doing` completes "cannot ...": "commit", "read the schema".
Status StatusFromSqlite(sqlite3* connection, int code, std::string_view doing);

}  // namespace recall
