#include "query/maintenance/build_info.h"

#include "simd/kernels.h"
#include "storage/schema/schema.h"

namespace recall {

BuildInfo BuildInformation() {
  // The RECALL_ macros are defined only for this file, in query/CMakeLists.txt.
  return {RECALL_VERSION,      RECALL_COMMIT,   __VERSION__,           RECALL_SQLITE_VERSION,
          RECALL_ZSTD_VERSION, SchemaVersion(), SupportedSimdTargets()};
}

bool UseSimdTarget(const std::string& name) { return ForceSimdTarget(name); }

}  // namespace recall
