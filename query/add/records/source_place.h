#pragma once

#include <cstdint>
#include <string>

#include "storage/base/status.h"

namespace recall {

// The position of imported data: a line of a file, or a row of an old store.
struct SourcePlace {
  std::string file;
  bool is_line = true;
  int64_t number = 0;  // from 1

  // "line 12"
  std::string Words() const { return (is_line ? "line " : "row ") + std::to_string(number); }

  // Returns: an error at this position. The message begins with the file. A line becomes the
  // position of the status; a row is part of the message.
  Status Fault(StatusCode code, const std::string& message, std::string hint = {}) const {
    if (!is_line) return Status(code, file + ", " + Words() + ": " + message, std::move(hint));
    return Status(code, file + ": " + message, std::move(hint)).WithPosition({number, 0, {}});
  }
};

}  // namespace recall
