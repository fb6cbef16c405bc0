#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/show/output/recorded_output.h"
#include "cli/show/terminal/pager.h"
#include "storage/base/status.h"

namespace recall {

// Buffered standard output. Only answers are written to it; everything else goes to stderr. If the
// reader closes the pipe, this is not an error, and later output is discarded. Standard error is
// written through it, too, because the output of a command may be recorded.
class StdoutStream final {
 public:
  StdoutStream() = default;
  // Appends to `captured` instead, which must outlive the object: for answers that become part of
  // another one.
  explicit StdoutStream(std::string* captured) : captured_(captured) {}
  // Records what is written instead, for a process whose standard output is, or is not, a terminal.
  // `recorded` must outlive the object.
  StdoutStream(RecordedOutput* recorded, bool for_terminal)
      : recorded_(recorded), for_terminal_(for_terminal) {}

  // True if a terminal shows the output.
  bool IsTerminal() const;
  void Write(std::string_view text);
  // Writes to standard error, at once and without a flush of standard output.
  void WriteError(std::string_view text);
  // Shows the output in a pager if it has at least `rows` rows of `columns`.
  void PageFrom(size_t rows, size_t columns, std::string pager_command);
  // Waits until the user has left the pager, if there is one. Requires: everything is flushed.
  void EndPager() { pager_.reset(); }
  // Errors: IoError if the output could not be written (the disk is full, standard output is
  // closed); Cancelled if a signal came while the reader of a pipe took nothing.
  Status Flush();
  // True if the output is collected in memory, to become part of another answer.
  bool is_captured() const { return captured_ != nullptr; }
  // True if output is discarded, because the reader closed the pipe or a write failed.
  bool broken() const { return error_ != 0; }

 private:
  void WriteNow(std::string_view bytes);
  bool WaitForReader();
  void WriteBuffer();

  void StartPagerIfLong();

  std::string* captured_ = nullptr;
  RecordedOutput* recorded_ = nullptr;
  bool for_terminal_ = false;
  std::string buffer_;
  std::string pager_command_;  // "": no pager, or not any more
  size_t window_rows_ = 0;
  size_t window_columns_ = 0;
  std::unique_ptr<Pager> pager_;
  int error_ = 0;  // errno of the first failed write
};

}  // namespace recall
