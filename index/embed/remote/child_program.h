#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// Another program with pipes to its standard input, output and error. Whatever happens, it is ended
// and reaped with its owner, together with what it started; no SIGPIPE is raised. Not thread-safe.
class ChildProgram final {
 public:
  // Starts argv[0], looked for in PATH, without a shell. Errors: InvalidArgument when argv is
  // empty, NotFound when there is no such program, IoError.
  static Result<std::unique_ptr<ChildProgram>> Start(const std::vector<std::string>& argv);
  // Closes its input, gives it a second to leave, then kills it.
  ~ChildProgram();
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  enum class Event { kMoved, kTimeout, kEnded };  // kEnded: it closed its output, or its input
  // Waits until the program takes some of *input, which is then cut off in front, or writes, which
  // is appended to *output; both at once, so full pipes block nobody. Errors: IoError.
  Result<Event> Exchange(std::string_view* input, std::string* output,
                         std::chrono::milliseconds timeout);

  // How it ended, and the last it said on its standard error, for a message: "exited with code 3:
  // no such model". Waits a second for the end, then kills it.
  std::string DescribeEnd();
  // The last line it said on its standard error; may be empty.
  std::string LastWords();

 private:
  ChildProgram() = default;
  Status Spawn(const std::vector<std::string>& argv);
  Result<bool> WriteSome(std::string_view* input);
  Result<bool> ReadSome(int* fd, std::string* output);
  void ReadErrors();
  bool LeavesByItself();
  void End();

  pid_t pid_ = -1;  // -1: none, or reaped
  int input_ = -1;  // our ends; -1: closed
  int output_ = -1;
  int errors_ = -1;
  int wait_status_ = 0;
  bool killed_ = false;
  std::string said_;  // the end of its standard error
};

}  // namespace recall
