#pragma once

#include <string>
#include <string_view>

#include "storage/base/status.h"

namespace recall {

// Buffered standard output. Only answers are written to it; everything else goes to stderr. If the
// reader closes the pipe, this is not an error, and later output is discarded.
class StdoutStream final {
 public:
  void Write(std::string_view text);
  // Errors: IoError if the output could not be written (the disk is full, standard output is
  // closed); Cancelled if a signal came while the reader of a pipe took nothing.
  Status Flush();
  // True if output is discarded, because the reader closed the pipe or a write failed.
  bool broken() const { return error_ != 0; }

 private:
  void WriteNow(std::string_view bytes);
  bool WaitForReader();
  void WriteBuffer();

  std::string buffer_;
  int error_ = 0;  // errno of the first failed write
};

}  // namespace recall
