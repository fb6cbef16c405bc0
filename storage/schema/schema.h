#pragma once

#include <memory>
#include <span>
#include <string>

#include "storage/base/result.h"
#include "storage/sqlite/connection.h"

namespace recall {

// "RCLL": PRAGMA application_id of every store, at byte 68 of the file.
inline constexpr int64_t kStoreApplicationId = 0x52434C4C;

// Builds version PRAGMA user_version of the schema out of the version before it.
struct Migration {
  int version;
  const char* sql;
  Status (*fill)(Connection& connection);  // what SQL alone cannot do, or null
};

// All of them, by version from 1.
std::span<const Migration> Migrations();

// The version this program reads and writes: that of its newest migration.
int SchemaVersion();

// Fails unless the file is a recall store of at most our version: Corruption for a file of
// another program, Unsupported for a newer store.
Status CheckSchema(Connection& connection);

// Opens a store's file. A statement that fails because the file's tables, indexes, views and
// triggers are not exactly those that the migrations make is then reported as Corruption.
Result<std::unique_ptr<Connection>> OpenStoreConnection(const std::string& path,
                                                        const ConnectionOptions& options);

// Whether the file is a store of recall 0.1, of any generation: tables of its shape, no mark of
// ours.
Result<bool> IsPublishedStore(Connection& connection);

// Brings an empty file, or a store of an older version, up to SchemaVersion() in one
// transaction. A current store is not written to. Readers that may not write read every version
// from 1 on as it is.
Status MigrateSchema(Connection& connection);

}  // namespace recall
