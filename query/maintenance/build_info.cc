#include "query/maintenance/build_info.h"

#include "simd/kernels.h"
#include "storage/schema/schema.h"
#include "storage/sqlite/sqlite_features.h"

namespace recall {

BuildInfo BuildInformation() {
  // The RECALL_ macros are defined only for this file, in query/CMakeLists.txt.
  return {RECALL_VERSION,      RECALL_COMMIT,   __VERSION__,
          RECALL_ZSTD_VERSION, SchemaVersion(), SupportedSimdTargets()};
}

Result<SqliteUse> UseOfSqlite() {
  RECALL_ASSIGN(const SqliteFeatures features, ProcessFeatures());
  return SqliteUse{.version = SqliteVersionName(LoadedSqlite()),
                   .tested = IsTestedSqlite(LoadedSqlite()),
                   .oldest_tested = SqliteVersionName(kOldestTestedSqlite),
                   .newest_tested = SqliteVersionName(kNewestTestedSqlite),
                   .fts = features.fts_format ? "native" : "sqlite"};
}

bool UseSimdTarget(const std::string& name) { return ForceSimdTarget(name); }

}  // namespace recall
