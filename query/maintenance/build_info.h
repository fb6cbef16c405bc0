#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace recall {

// What this program is and what it was built of.
struct BuildInfo {
  std::string version;  // "0.1.0"
  std::string commit;   // of the source tree, "unknown" outside one
  std::string compiler;
  std::string sqlite_version;
  std::string zstd_version;
  int64_t schema_version = 0;             // of the stores it makes
  std::vector<std::string> simd_targets;  // of this machine; the first is in use
};

BuildInfo BuildInformation();

// Makes all kernels use one of BuildInfo::simd_targets; answers do not change. False when this
// machine has no such target. Not thread-safe.
bool UseSimdTarget(const std::string& name);

}  // namespace recall
