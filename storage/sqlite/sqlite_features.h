#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// The versions of SQLite with which every use of its internals (docs/sqlite-internals.md) was
// tested, as sqlite3_libversion_number() reports them. The newest is the one that `./x test
// newest-sqlite` runs.
inline constexpr int kOldestTestedSqlite = 3'040'000;
inline constexpr int kNewestTestedSqlite = 3'054'001;

// The version of the loaded library.
int LoadedSqlite();
// "3.40.1" for 3040001.
std::string SqliteVersionName(int version);
// Whether `version` is within the tested range.
bool IsTestedSqlite(int version);

// Which formats of SQLite Recall reads and writes itself. Without one of them it uses SQLite's
// public interface for the same purpose: answers are the same, but take more time. Immutable.
struct SqliteFeatures {
  // FTS5's tables: postings are decoded from its pages and written as runs (storage/fts5).
  bool fts_format = true;
  // B-tree pages, overflow pages and the WAL index: segments are read through a mapping, and cells
  // are checked once (storage/overflow, storage/sqlite).
  bool file_format = true;

  friend bool operator==(const SqliteFeatures&, const SqliteFeatures&) = default;
};

// The features to use with a version of the library. `fts` is the value of RECALL_FTS: "native" or
// "sqlite" decides about fts_format, "" leaves it to the version. Errors: InvalidArgument.
Result<SqliteFeatures> FeaturesFor(int version, std::string_view fts);

// Those of this process: for the loaded library and the environment variable RECALL_FTS, which is
// read once. Thread-safe.
Result<SqliteFeatures> ProcessFeatures();

// What a caller has chosen, or else ProcessFeatures().
Result<SqliteFeatures> FeaturesInUse(const std::optional<SqliteFeatures>& chosen);

}  // namespace recall
