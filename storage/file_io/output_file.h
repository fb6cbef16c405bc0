#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// A file that is written from beginning to end and gets its name when it is complete. Until then,
// and after any failure, an existing file of that name is unchanged. If the name ends in ".zst",
// the content is compressed with zstd. A path that is not a regular file (/dev/full, a pipe) is
// written in place; the wait for the reader of a pipe ends when *cancel is true. A SQLite database
// and the files beside it are never replaced. Not thread-safe.
class OutputFile final {
 public:
  // A file that replaces another one gets its permissions and its owner; a new file gets those of
  // the file `like`, if that is not "". `cancel` must outlive the file. Errors: InvalidArgument (a
  // directory, a database), IoError, Cancelled.
  static Result<std::unique_ptr<OutputFile>> Create(const std::string& path,
                                                    const std::atomic<bool>* cancel,
                                                    const std::string& like = {});
  // Leaves no file behind unless Finish succeeded.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Errors: IoError, Cancelled.
  Status Write(std::string_view bytes);
  // Makes the file durable and gives it its name, replacing an existing file. Errors: those
  // of Write.
  Status Finish();

  // Size of the file itself, after compression.
  int64_t bytes_written() const { return bytes_written_; }

 private:
  class Compressor;
  OutputFile(std::string path, const std::atomic<bool>* cancel);

  Status OpenBeside();
  Status OpenInPlace();
  Status WriteRaw(std::string_view bytes);
  Status WaitForReader() const;
  Status TakeName();
  Status CannotWrite(int error) const;

  const std::atomic<bool>* cancel_;
  std::string path_;       // as given
  std::string real_path_;  // with symbolic links resolved
  std::string temporary_;  // the name until the file is complete; empty if it has none
  bool in_place_ = false;
  int fd_ = -1;
  int64_t bytes_written_ = 0;
  std::string buffer_;
  std::unique_ptr<Compressor> compressor_;
};

}  // namespace recall
