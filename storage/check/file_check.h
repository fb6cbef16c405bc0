#pragma once

// Checks of the file at SQLite's level: pages, journal, tables.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "storage/check/check_run.h"
#include "storage/sqlite/connection.h"

namespace recall {

// Facts about the file, for the report.
struct FileFacts {
  int64_t format_version = 0;
  int64_t page_size = 0;
  int64_t pages = 0;
  int64_t free_pages = 0;
  std::string journal;  // "wal"
  int64_t wal_bytes = 0;
  int64_t wal_frames = 0;  // frames in the WAL; the next field: those copied into the file
  int64_t wal_frames_copied = 0;
};

// Begins the read transaction of the examination, and that of other connections to the file, so
// that all read the same commit (storage/sqlite/common_snapshot.h). For a file that is not a store,
// or of a newer format, fails with the same errors as Store::Open. Requires: no open transaction.
Result<FileFacts> BeginCheck(CheckRun& run, std::vector<std::unique_ptr<Connection>>* readers);

// Runs PRAGMA integrity_check, and checks the pragmas that docs/format/store.md prescribes.
Status CheckFile(CheckRun& run, const FileFacts& facts);

// Compares tables and indexes with those that the migrations create. Fills the run's set of tables.
Status CheckTables(CheckRun& run, const FileFacts& facts);

// Recreates the indexes and derived tables that CheckTables found missing or changed, and sets the
// application_id. Requires: a write transaction.
Status RepairTables(Connection& connection, int64_t format_version);

// Replaces a possibly damaged full-text index by an empty one. Requires: a write transaction in a
// store of the newest format.
Status RebuildFulltextIndex(Connection& connection);

}  // namespace recall
