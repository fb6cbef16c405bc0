#pragma once

#include <memory>
#include <span>
#include <string>

#include "storage/base/result.h"
#include "storage/sqlite/connection.h"

namespace recall {

// "RCLL": PRAGMA application_id of every store, at byte 68 of the file.
inline constexpr int64_t kStoreApplicationId = 0x52434C4C;

// Creates a version of the schema (PRAGMA user_version) from the version before it.
struct Migration {
  int version;
  const char* sql;
  Status (*fill)(Connection& connection);  // work that SQL alone cannot do, or null
};

// All migrations, by version from 1.
std::span<const Migration> Migrations();

// The version this program reads and writes: that of its newest migration.
int SchemaVersion();

// Fails unless the file is a store of at most our version: Corruption for a file of another
// program, Unsupported for a newer store.
Status CheckSchema(Connection& connection);

// Opens a store, by its path or address (file_of_store.h). If a statement fails because the tables,
// indexes, views and triggers of the file are not exactly those of the migrations, it is reported
// as Corruption.
Result<std::unique_ptr<Connection>> OpenStoreConnection(const std::string& store,
                                                        const ConnectionOptions& options);

// A store through the connection of another program. Requires: CanBorrow.
Result<std::unique_ptr<Connection>> BorrowStoreConnection(std::shared_ptr<LentConnection> lender,
                                                          const SqliteFeatures& features);

// Whether the statements of Recall, which name tables without a database, read the database "main"
// of a connection as they would read a store through a connection of their own: it has the tables
// of SchemaVersion(), exactly, and no temporary table or view hides one of them. Also false if that
// cannot be read. Cost: reads the schema.
bool CanBorrow(sqlite3* connection);

// Whether the file is a store of recall 0.1, of any generation: it has tables of that shape and no
// application_id.
Result<bool> IsRecall01Store(Connection& connection);

// Migrates an empty file, or a store of an older version, to SchemaVersion() in one transaction. A
// current store is not changed. Read-only connections read every version from 1 on as it is.
Status MigrateSchema(Connection& connection);

}  // namespace recall
