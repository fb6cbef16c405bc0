#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <utility>

#include "storage/base/status.h"

namespace recall {

// A file, whatever name it has. Nothing if there is no file at the path.
using FileId = std::pair<dev_t, ino_t>;
inline std::optional<FileId> FileIdOf(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return FileId(info.st_dev, info.st_ino);
}

// The file of the store while it is being watched for: SQLite would go on writing to a file that
// was deleted.
class StoreFile final {
 public:
  explicit StoreFile(std::string path) : path_(std::move(path)), id_(FileIdOf(path_)) {}

  const std::string& path() const { return path_; }
  // Errors: IoError if it is not the file that it was; `command` starts the watch again.
  Status Check(const std::string& command) const {
    if (FileIdOf(path_) == id_) return {};
    return Status::IoError(path_ + " was removed or replaced while it was kept up to date",
                           "start `" + command + "` again");
  }

 private:
  std::string path_;  // absolute
  std::optional<FileId> id_;
};

}  // namespace recall
