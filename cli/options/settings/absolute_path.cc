#include "cli/options/settings/absolute_path.h"

#include <filesystem>
#include <system_error>

namespace recall {

Result<std::string> AbsolutePath(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path absolute = fs::absolute(path.empty() ? "." : path, error);
  if (error) {
    return Fail(Status::IoError("cannot find the working directory: " + error.message(),
                                "go to an existing directory, or specify an absolute path"));
  }
  fs::path normal = absolute.lexically_normal();
  // "/a/b/." and "/a/b/" become "/a/b/", whose parent would be "/a/b".
  if (!normal.has_filename() && normal != normal.root_path()) normal = normal.parent_path();
  return normal.string();
}

}  // namespace recall
