#include "index/base/paths/working_directory.h"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace recall {
namespace {

thread_local std::optional<std::string> directory_of_thread;

}  // namespace

WorkingDirectoryScope::WorkingDirectoryScope(std::string directory) {
  directory_of_thread = std::move(directory);
}

WorkingDirectoryScope::~WorkingDirectoryScope() { directory_of_thread.reset(); }

Result<std::string> WorkingDirectory() {
  if (directory_of_thread) return *directory_of_thread;
  std::error_code error;
  std::string directory = std::filesystem::current_path(error).string();
  if (error) return Fail(Status::IoError(error.message()));
  return directory;
}

Status CheckHasPlace(std::string_view path) {
  if (path.starts_with('/')) return Status::Ok();
  const Result<std::string> directory = WorkingDirectory();
  if (directory) return Status::Ok();
  return Status::IoError(std::string(path) + ": the working directory cannot be found: " +
                             std::string(directory.error().message()),
                         "go to an existing directory, or specify an absolute path");
}

}  // namespace recall
