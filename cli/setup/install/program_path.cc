#include "cli/setup/install/program_path.h"

#include <unistd.h>

#include <filesystem>

#include "storage/base/own_process.h"

namespace recall {
namespace {

constexpr std::string_view kProgramName = "recall";

// The first executable file of that name in the directories of PATH.
std::string FirstOnPath(std::string_view path) {
  while (!path.empty()) {
    const size_t end = std::min(path.find(':'), path.size());
    const std::string directory(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
    const std::string file = directory + "/" + std::string(kProgramName);
    std::error_code ignored;
    // Relative directories lead elsewhere from another working directory.
    if (!directory.starts_with('/') || !std::filesystem::is_regular_file(file, ignored)) continue;
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

}  // namespace

Result<std::string> ProgramToStart(std::string_view path) {
  std::error_code error;
  const std::string running = FileOfProgram();
  if (running.empty()) {
    return Fail(Status::IoError("the file of the running program cannot be found",
                                "start recall from where it is installed, and try again"));
  }
  const std::string found = FirstOnPath(path);
  const bool same = !found.empty() && std::filesystem::equivalent(found, running, error);
  return same ? std::string(kProgramName) : running;
}

}  // namespace recall
