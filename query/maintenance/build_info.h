#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// The version of this program and of the parts it was built from.
struct BuildInfo {
  std::string version;  // "0.3.0"
  std::string commit;  // commit of the source tree: "1a2b3c4d5e6f", "1a2b3c4d5e6f-dirty", "unknown"
  std::string build_type;  // of CMake: "Release"
  std::string compiler;
  std::string zstd_version;
  int64_t schema_version = 0;             // format version of the stores it creates
  std::vector<std::string> simd_targets;  // SIMD targets of this machine; the first is in use
  std::vector<std::string> grammars;      // that source code is parsed with: "python-0.23.6"
  std::string lexicon;                    // hash of the lexicon in the program, 16 digits
};

BuildInfo BuildInformation();

// What this system offers to confine the processes that extract documents (docs/formats.md).
struct SandboxInfo {
  bool exists = true;    // in this program, for this system; without it they are not confined
  bool seccomp = false;  // of those that exist: without it they are not started
  int64_t landlock = 0;  // version of its interface; 0: none
};
SandboxInfo UseOfSandbox();

// How this process uses SQLite.
struct SqliteUse {
  std::string version;        // of the loaded library, "3.40.1"
  bool tested = false;        // false: only its public interface is used
  std::string oldest_tested;  // "3.40.0"
  std::string newest_tested;
  std::string fts;  // "native": Recall reads and writes FTS5's tables itself; else "sqlite"
};

// Errors: InvalidArgument if the environment variable RECALL_FTS has an unknown value.
Result<SqliteUse> UseOfSqlite();

// Selects one of BuildInfo::simd_targets for all kernels; answers do not change. Returns: false if
// this machine does not support the target. Not thread-safe.
bool UseSimdTarget(const std::string& name);

}  // namespace recall
