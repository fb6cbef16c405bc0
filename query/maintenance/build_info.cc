#include "query/maintenance/build_info.h"

#include "index/base/lexicon/lexicon.h"
#include "index/source/code/code_grammar.h"
#include "index/source/extract/worker/sandbox.h"
#include "query/maintenance/build_version.h"
#include "query/maintenance/source_commit.h"
#include "simd/kernels.h"
#include "storage/schema/schema.h"
#include "storage/sqlite/sqlite_features.h"
#include "storage/sqlite/tested_sqlite.h"

namespace recall {

BuildInfo BuildInformation() {
  // The RECALL_ macros are defined only for this file, in query/CMakeLists.txt.
  return {.version = RECALL_VERSION,
          .commit = std::string(kSourceCommit),
          .build_type = RECALL_BUILD_TYPE,
          .compiler = __VERSION__,
          .zstd_version = RECALL_ZSTD_VERSION,
          .schema_version = SchemaVersion(),
          .simd_targets = SupportedSimdTargets(),
          .grammars = GrammarNames(),
          .lexicon = Lexicon::Builtin().name()};
}

const char* BuildVersion() noexcept { return RECALL_VERSION; }

Result<SqliteUse> UseOfSqlite() {
  RECALL_ASSIGN(const SqliteFeatures features, ProcessFeatures());
  return SqliteUse{.version = SqliteVersionName(LoadedSqlite()),
                   .tested = IsTestedSqlite(LoadedSqlite()),
                   .oldest_tested = SqliteVersionName(kOldestTestedSqlite),
                   .newest_tested = SqliteVersionName(kNewestTestedSqlite),
                   .fts = features.fts_format ? "native" : "sqlite"};
}

bool UseSimdTarget(const std::string& name) { return ForceSimdTarget(name); }

SandboxInfo UseOfSandbox() {
  const SandboxSupport support = FindSandboxSupport();
  return {HasSandbox(), support.seccomp, support.landlock_version};
}

}  // namespace recall
