#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/file_io/input_file.h"

namespace recall {

// Whether a line, without its newline, holds blanks alone.
inline bool IsBlankLine(std::string_view line) {
  return line.find_first_not_of(" \t\r") == line.npos;
}

// The lines of a file, one after another. Not thread-safe.
class InputLines final {
 public:
  // Lines above `max_line_bytes` are refused. They end with `newline`.
  InputLines(std::unique_ptr<InputFile> file, uint64_t max_line_bytes, char newline = '\n');

  // Replaces *line by the next one, without its newline; false at the end. A last line without a
  // newline is a line. Errors: the file's; LimitExceeded, with the position.
  Result<bool> Next(std::string* line);

  // Passes over what is left of a line that Next refused. Errors: the file's.
  Status SkipLine();

  // Number of the line that Next gave last, from 1.
  int64_t line_number() const { return line_number_; }
  const InputFile& file() const { return *file_; }

 private:
  Result<bool> Refill();
  // Bytes in the buffer up to the next newline, or all when there is none.
  size_t Ahead(bool* has_newline) const;
  Status TooLong() const;

  std::unique_ptr<InputFile> file_;
  uint64_t max_line_bytes_;
  char newline_;
  int64_t line_number_ = 0;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // of what is left in the buffer
  size_t end_ = 0;
};

}  // namespace recall
