#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/file_io/input_file.h"

namespace recall {

// Whether a line, without its newline, contains only blanks.
inline bool IsBlankLine(std::string_view line) {
  return line.find_first_not_of(" \t\r") == line.npos;
}

// The lines of a file, one after another. Not thread-safe.
class InputLines final {
 public:
  // Lines longer than `max_line_bytes` are refused. Lines end with `newline`.
  InputLines(std::unique_ptr<InputFile> file, uint64_t max_line_bytes, char newline = '\n');

  // Replaces *line by the next line, without its newline; returns false at the end. A last line
  // without a newline counts. Errors: those of the file; LimitExceeded, with the position.
  Result<bool> Next(std::string* line);

  // Skips the rest of a line that Next refused. Errors: those of the file.
  Status SkipLine();

  // Number, from 1, of the line that Next returned last.
  int64_t line_number() const { return line_number_; }
  const InputFile& file() const { return *file_; }

 private:
  Result<bool> Refill();
  // Number of bytes in the buffer up to the next newline, or of all if it contains none.
  size_t Ahead(bool* has_newline) const;
  Status TooLong() const;

  std::unique_ptr<InputFile> file_;
  uint64_t max_line_bytes_;
  char newline_;
  int64_t line_number_ = 0;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // of the unread bytes in the buffer
  size_t end_ = 0;
};

}  // namespace recall
