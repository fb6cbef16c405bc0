#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "index/source/transcript/transcript.h"
#include "storage/file_io/input_file.h"

namespace recall {

// The lines of a transcript that its agent may be writing, in pieces of the file. Not thread-safe.
class TranscriptLines final {
 public:
  struct Line {
    std::string_view text;  // without its newline; valid until the next call
    int64_t number = 0;     // from 1
    bool ended = true;      // by a newline; false only for the last line
    bool too_long = false;  // its text is left out
  };

  static Result<TranscriptLines> Open(const std::string& path, const TranscriptLimits& limits);

  // The next line, or nothing at the end. Errors: those of InputFile::Read; LimitExceeded.
  Result<std::optional<Line>> Next();

 private:
  TranscriptLines(std::unique_ptr<InputFile> file, uint64_t max_line_bytes, uint64_t max_bytes)
      : file_(std::move(file)), max_line_bytes_(max_line_bytes), max_bytes_(max_bytes) {}

  // Reads on behind the unread bytes; false at the end of the file.
  Result<bool> ReadMore();

  std::unique_ptr<InputFile> file_;
  uint64_t max_line_bytes_;
  uint64_t max_bytes_;       // of the whole file
  uint64_t read_bytes_ = 0;  // so far
  int64_t number_ = 0;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // of the unread bytes
  size_t end_ = 0;
};

// A whole file, for formats that are one JSON document. Errors: those of InputFile;
// LimitExceeded.
Result<std::string> ReadWholeTranscript(const std::string& path, const TranscriptLimits& limits);

}  // namespace recall
