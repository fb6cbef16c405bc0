#pragma once

#include <string>
#include <string_view>

#include "storage/base/status.h"

namespace recall {

// Standard output, buffered. Only answers go here; all else goes to stderr. A reader that closed
// the pipe is not an error: what is written afterwards is dropped.
class StdoutStream final {
 public:
  void Write(std::string_view text);
  // Returns: IoError when the answer could not be written (disk full).
  Status Flush();
  // Nobody gets what is written from now on: the reader went away, or the disk is full.
  bool broken() const { return error_ != 0; }

 private:
  void WriteNow();

  std::string buffer_;
  int error_ = 0;  // errno of the first failed write
};

}  // namespace recall
