#pragma once

#include <string_view>

#include "storage/base/status.h"

struct sqlite3;

namespace recall {

// The SQL function, without arguments, that returns 0 if a connection's schema is not the expected
// one. A connection that has it (Connection::InstallOnce) reports statements that do not fit the
// schema as damage of the file.
inline constexpr const char* kSchemaCheckFunction = "recall_schema_is_own";

// Whether no further file can be made in the file system of `path`, because all its inodes are
// used.
bool HasNoInodes(const char* path);

// Converts SQLite's result code, with the connection's last message, into a Status that names the
// file and suggests what to do. `doing` completes "cannot ...": "commit", "read the schema".
Status StatusFromSqlite(sqlite3* connection, int code, std::string_view doing);

}  // namespace recall
