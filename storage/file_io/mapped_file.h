#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>

#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

// A user's file, mapped read-only. Never a store: FileMapping owns the only descriptor of a store.
// The file must not change meanwhile: reading a page that another process has truncated raises
// SIGBUS, so call CheckUnchanged before reading much. Programs that replace files by renaming are
// harmless. Thread-safe.
class MappedFile final {
 public:
  // Errors: NotFound, InvalidArgument (not a regular file), IoError.
  static Result<std::unique_ptr<MappedFile>> Open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  ByteSpan bytes() const { return bytes_; }
  const std::string& path() const { return path_; }
  // IoError if size or modification time differ from those at Open.
  Status CheckUnchanged() const;

 private:
  MappedFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  int fd_;
  std::string path_;
  ByteSpan bytes_;
  timespec modified_ = {};
};

}  // namespace recall
