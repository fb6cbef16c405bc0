#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>

#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

// A file of the user's, mapped read-only; never a store, whose one descriptor FileMapping has.
// The file must stay as it is: reading what somebody cut off raises SIGBUS, so ask CheckUnchanged
// before reading much. Programs that replace files by renaming do no harm. Thread-safe.
class MappedFile final {
 public:
  // Errors: NotFound, InvalidArgument (no regular file), IoError.
  static Result<std::unique_ptr<MappedFile>> Open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  ByteSpan bytes() const { return bytes_; }
  const std::string& path() const { return path_; }
  // IoError when size or modification time are no longer those of Open.
  Status CheckUnchanged() const;

 private:
  MappedFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  int fd_;
  std::string path_;
  ByteSpan bytes_;
  timespec modified_ = {};
};

}  // namespace recall
