#pragma once

#include <chrono>
#include <string>

#include "storage/base/result.h"

namespace recall {

struct BackgroundCapture {
  std::string store;              // as --store takes it
  std::string project;            // absolute: the directory of the session
  std::string transcript;         // the file
  std::chrono::seconds most{60};  // then it is ended; what it has committed stays
  bool wait = false;              // for its end
};

// Starts `recall capture` for one transcript in a process that belongs to no terminal and no
// group of this one, and has no open stream of it. Errors: IoError if it cannot be started.
Status StartCapture(const BackgroundCapture& capture);

}  // namespace recall
