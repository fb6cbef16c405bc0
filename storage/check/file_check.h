#pragma once

// The file as SQLite sees it: pages, journal, tables.

#include <cstdint>
#include <string>

#include "storage/check/check_run.h"

namespace recall {

// Facts, not faults.
struct FileFacts {
  int64_t format_version = 0;
  int64_t page_size = 0;
  int64_t pages = 0;
  int64_t free_pages = 0;
  std::string journal;  // "wal"
  int64_t wal_bytes = 0;
  int64_t wal_frames = 0;  // in the WAL, and of these copied into the file
  int64_t wal_frames_copied = 0;
};

// Begins the read transaction of the examination. Fails with what Store::Open says of a file that
// is no store at all, or of a newer format. Requires: no open transaction.
Result<FileFacts> BeginCheck(CheckRun& run);

// PRAGMA integrity_check, and the pragmas that docs/format/store.md fixes.
Status CheckFile(CheckRun& run, const FileFacts& facts);

// Tables and indexes against those that the migrations make. Fills the run's set of tables.
Status CheckTables(CheckRun& run, const FileFacts& facts);

// Makes indexes, and tables of what can be remade, anew where CheckTables found fault, and marks
// the file as a store. Requires: a write transaction.
Status RepairTables(Connection& connection, int64_t format_version);

// An empty lexical index in the place of one that may be damaged. Requires: a write transaction in
// a store of the newest format.
Status RebuildFulltextIndex(Connection& connection);

}  // namespace recall
