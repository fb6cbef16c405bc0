#include "cli/run/execution/runtime_directory.h"

#include <unistd.h>

#include <cstdlib>

namespace recall {
namespace {

// The value of a variable that is an absolute path; else "".
std::string PathIn(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value == '/' ? value : "";
}

}  // namespace

std::string RuntimeDirectory() {
  const std::string runtime = PathIn("XDG_RUNTIME_DIR");
  if (!runtime.empty()) return runtime + "/recall";
  const std::string temporary = PathIn("TMPDIR");
  return (temporary.empty() ? "/tmp" : temporary) + "/recall-" + std::to_string(::geteuid());
}

}  // namespace recall
