#pragma once

// Runs work in a child process, which may be killed, simulate a power failure or crash. The parent
// does not use SQLite, which must not be used across a fork.

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>

namespace recall {

struct ChildOutcome {
  int exit_code = -1;  // -1: ended by `signal`
  int signal = 0;
  std::string output;  // the return value of the work
};

// Runs `work` in a forked process and waits for it. Its return value becomes `output`, with exit
// code 0. It may also call _exit with another code; an exception gives exit code 121. Requires: no
// other thread runs.
ChildOutcome RunInChild(const std::function<std::string()>& work);

// Limits the memory of this process. Has no effect under a sanitizer, which maps far more memory.
void LimitMemory(uint64_t bytes);

// For example "exit code 3" or "signal 11".
std::string Describe(const ChildOutcome& outcome);

}  // namespace recall
