#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// A file that is written from beginning to end and takes its name when it is complete: until
// then, and when anything fails, whatever had the name stays as it is. A name that ends in ".zst"
// is compressed with zstd. What is not a regular file (/dev/full, a pipe) is written in place.
// Not thread-safe.
class OutputFile final {
 public:
  // Errors: InvalidArgument (a directory), IoError.
  static Result<std::unique_ptr<OutputFile>> Create(const std::string& path);
  // Leaves nothing behind unless Finish succeeded.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  Status Write(std::string_view bytes);
  // Makes the file durable and gives it its name, replacing what had it.
  Status Finish();

  // Of the file itself, after compression.
  int64_t bytes_written() const { return bytes_written_; }

 private:
  class Compressor;
  explicit OutputFile(std::string path);

  Status OpenBeside();
  Status OpenInPlace();
  Status WriteRaw(std::string_view bytes);
  Status TakeName();
  Status CannotWrite(int error) const;

  std::string path_;       // as given
  std::string real_path_;  // where symbolic links lead to
  std::string temporary_;  // the name until it is complete; empty when it has none
  bool in_place_ = false;
  int fd_ = -1;
  int64_t bytes_written_ = 0;
  std::string buffer_;
  std::unique_ptr<Compressor> compressor_;
};

}  // namespace recall
