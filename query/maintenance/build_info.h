#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace recall {

// The version of this program and of the parts it was built from.
struct BuildInfo {
  std::string version;  // "0.1.0"
  std::string commit;   // commit of the source tree, "unknown" without one
  std::string compiler;
  std::string sqlite_version;
  std::string zstd_version;
  int64_t schema_version = 0;             // format version of the stores it creates
  std::vector<std::string> simd_targets;  // SIMD targets of this machine; the first is in use
};

BuildInfo BuildInformation();

// Selects one of BuildInfo::simd_targets for all kernels; answers do not change. Returns: false if
// this machine does not support the target. Not thread-safe.
bool UseSimdTarget(const std::string& name);

}  // namespace recall
