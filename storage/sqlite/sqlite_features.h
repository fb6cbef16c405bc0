#pragma once

#include <optional>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

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
