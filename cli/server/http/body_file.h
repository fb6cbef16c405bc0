#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "storage/base/result.h"

namespace recall {

// The body of a request in a temporary file without a name, so that it is gone with its last
// descriptor, even if the process is killed; where a file without a name cannot be opened again, it
// has one, and a killed process leaves it. Only its owner can read it. Not thread-safe.
class BodyFile final {
 public:
  // Makes the file in a directory of a file system that has room for it. Errors: IoError.
  static Result<std::shared_ptr<BodyFile>> Make(const std::string& directory);
  ~BodyFile();
  BodyFile(const BodyFile&) = delete;
  BodyFile& operator=(const BodyFile&) = delete;

  // Errors: IoError, also if the disk is full.
  Status Append(std::string_view bytes);
  uint64_t size() const { return size_; }
  // A path by which this process can open the file, to read it from its beginning.
  std::string path() const;

 private:
  BodyFile(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}

  const int descriptor_;
  const std::string name_;  // "" if it has none
  uint64_t size_ = 0;
};

}  // namespace recall
