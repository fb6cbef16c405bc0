#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// Reads a file, or standard input, from its beginning to its end. zstd-compressed input (recognised
// by its first bytes, or by a name that ends in ".zst") is decompressed; it may consist of several
// frames. Memory is bounded: frames that need a window over 128 MiB are refused. Not thread-safe.
class InputFile final {
 public:
  // `path` "-" is standard input. While waiting for a pipe, the reader polls *cancel about five
  // times a second; *cancel must outlive it. Errors: NotFound; InvalidArgument (a directory, or a
  // device that is neither a terminal nor the null device); IoError.
  static Result<std::unique_ptr<InputFile>> Open(const std::string& path,
                                                 const std::atomic<bool>* cancel);
  // Reads a text in memory, which must outlive the object, as it is: nothing is decompressed.
  // `name`: for messages.
  static std::unique_ptr<InputFile> OfText(std::string_view text, std::string name);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // Reads up to to.size() bytes into the start of `to` and returns their number, which is 0 only at
  // the end. Errors: IoError; Corruption if the input is not zstd or ends in the middle of a frame;
  // Cancelled.
  Result<size_t> Read(std::span<char> to);

  // The name for messages: the path, or "standard input".
  const std::string& name() const { return name_; }
  bool is_compressed() const { return decompressor_ != nullptr; }
  // Bytes of the file itself, before decompression: read so far, and in total (0 for a pipe).
  int64_t bytes_read() const { return bytes_read_; }
  int64_t bytes_total() const { return bytes_total_; }

 private:
  class Decompressor;
  InputFile(int fd, std::string name, const std::atomic<bool>* cancel);
  InputFile(std::string_view text, std::string name);

  Status Start(bool compressed_by_name);
  Status WaitForInput() const;
  Result<size_t> ReadRaw(std::span<char> to);
  Result<size_t> ReadBuffered(std::span<char> to);

  int fd_;  // -1: of text_
  std::string name_;
  const std::atomic<bool>* cancel_;
  std::string_view text_ = {};  // what was not read yet
  bool waits_ = false;          // reads may block for long: a pipe, a terminal
  int64_t bytes_read_ = 0;
  int64_t bytes_total_ = 0;
  std::string head_;  // the first bytes, read ahead to recognise the file's format
  std::unique_ptr<Decompressor> decompressor_;
};

// The rest of the file. Errors: those of Read; LimitExceeded if it has more than `max_bytes`.
Result<std::string> ReadAll(InputFile& file, uint64_t max_bytes);

}  // namespace recall
