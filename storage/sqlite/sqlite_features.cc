#include "storage/sqlite/sqlite_features.h"

#include <cstdlib>
#include <string>

#include "storage/base/hosted.h"
#include "storage/sqlite/tested_sqlite.h"

namespace recall {

Result<SqliteFeatures> FeaturesFor(int version, std::string_view fts) {
  const bool tested = IsTestedSqlite(version);
  if (fts.empty()) return SqliteFeatures{.fts_format = tested, .file_format = tested};
  if (fts != "native" && fts != "sqlite") {
    return Fail(Status::InvalidArgument(
        "RECALL_FTS must be native or sqlite, not '" + std::string(fts) + "'",
        "unset RECALL_FTS, so that the version of SQLite decides"));
  }
  return SqliteFeatures{.fts_format = fts == "native", .file_format = tested};
}

Result<SqliteFeatures> ProcessFeatures() {
  static const Result<SqliteFeatures> features = [] {
    const char* const fts = IsHosted() ? nullptr : std::getenv("RECALL_FTS");
    return FeaturesFor(LoadedSqlite(), fts ? fts : "");
  }();
  return features;
}

Result<SqliteFeatures> FeaturesInUse(const std::optional<SqliteFeatures>& chosen) {
  return chosen ? Result<SqliteFeatures>(*chosen) : ProcessFeatures();
}

}  // namespace recall
