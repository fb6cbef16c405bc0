#pragma once

#include <optional>
#include <string>

#include "cli/show/terminal/signals.h"
#include "storage/base/result.h"
#include "storage/base/wake_pipe.h"

namespace recall {

// The lines that the user types, until Ctrl-C. Used inside an InterruptScope; only one may exist at
// a time.
class TypedLines final {
 public:
  TypedLines() : wake_(interrupted_.wake_descriptor()) {}
  TypedLines(const TypedLines&) = delete;
  TypedLines& operator=(const TypedLines&) = delete;

  // Waits for the next line. Returns: it, without its end; nullopt at the end of the input. Errors:
  // Cancelled by Ctrl-C.
  Result<std::optional<std::string>> Next();

 private:
  const WakePipe interrupted_;
  const InterruptWake wake_;
  std::string read_;  // what follows the last line
  bool ended_ = false;
};

}  // namespace recall
