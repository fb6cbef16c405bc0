#pragma once

// Work in a process of its own: it may be killed, may cut its own power, may crash; and SQLite,
// which does not survive a fork, is never used by the parent.

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>

namespace recall {

struct ChildOutcome {
  int exit_code = -1;  // -1: ended by `signal`
  int signal = 0;
  std::string output;  // what it returned
};

// Runs `work` in a fork and waits for it; what it returns comes back as `output`, its exit code is
// 0. It may also leave early by _exit, with another code; an exception is exit code 121. Call where
// no other thread runs.
ChildOutcome RunInChild(const std::function<std::string()>& work);

// Lets this process have no more memory than that. Without effect under a sanitizer, which maps far
// more for itself.
void LimitMemory(uint64_t bytes);

// "exit code 3", "signal 11"
std::string Describe(const ChildOutcome& outcome);

}  // namespace recall
