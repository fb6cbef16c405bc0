#pragma once

#include "storage/base/status.h"

struct sqlite3;

namespace recall {

// Registers the functions and table-valued functions of docs/sqlite-extension.md with a connection.
// Requires: BecomeHosted, unless the process is Recall's own. Errors: Unsupported if SQLite lacks
// FTS5; those of SQLite.
Status RegisterRecall(sqlite3* connection);

}  // namespace recall
