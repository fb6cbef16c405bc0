#include "tests/test_paths.h"

namespace recall {

std::string SourceDir() { return RECALL_SOURCE_DIR; }
std::string BuildDir() { return RECALL_BUILD_DIR; }
std::string RecallBinary() { return BuildDir() + "/recall"; }

}  // namespace recall
