#include "index/paths/working_directory.h"

#include <filesystem>
#include <string>
#include <system_error>

namespace recall {

Status CheckHasPlace(std::string_view path) {
  if (path.starts_with('/')) return Status::Ok();
  std::error_code error;
  static_cast<void>(std::filesystem::current_path(error));
  if (!error) return Status::Ok();
  return Status::IoError(
      std::string(path) + ": the working directory cannot be found: " + error.message(),
      "go to an existing directory, or specify an absolute path");
}

}  // namespace recall
