#pragma once

// The virtual table of documents: CREATE VIRTUAL TABLE docs USING recall.

#include "storage/base/status.h"

struct sqlite3;

namespace recall {

// Registers the module with a connection. Errors: those of SQLite.
Status RegisterDocumentsTable(sqlite3* connection);

}  // namespace recall
