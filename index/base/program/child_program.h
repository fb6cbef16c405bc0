#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// What a program gets besides its arguments. Without a terminal of its own it cannot ask the user
// for a password there: it fails instead of waiting.
struct ChildSurroundings {
  std::vector<std::string> set = {};    // "NAME=value", in place of what this process has
  std::vector<std::string> unset = {};  // names
  bool without_terminal = false;
};

// Another program with pipes to its standard input, output and error. The destructor always ends
// and reaps it, together with the processes of its process group. No SIGPIPE is raised. Not
// thread-safe.
class ChildProgram final {
 public:
  // Starts argv[0], which is searched for in PATH, without a shell. Errors: InvalidArgument if argv
  // is empty, NotFound if there is no such program, IoError.
  static Result<std::unique_ptr<ChildProgram>> Start(const std::vector<std::string>& argv,
                                                     const ChildSurroundings& surroundings = {});
  // Closes the program's input, gives it one second to exit, then kills its process group.
  ~ChildProgram();
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  // kEnded: it closed its output or input
  enum class Event { kMoved, kTimeout, kEnded, kCancelled };
  // Waits until the program reads a part of *input, which is then removed from its front, or
  // writes, which is appended to *output. Both are polled together, so full pipes cannot cause a
  // deadlock. `cancel`, if given, ends the wait within a tenth of a second after it becomes true.
  // Errors: IoError.
  Result<Event> Exchange(std::string_view* input, std::string* output,
                         std::chrono::milliseconds timeout,
                         const std::atomic<bool>* cancel = nullptr);
  // Ends its input; it can still write.
  void CloseInput();
  // Kills its process group without the second in which it could exit.
  void Kill();

  // How the program ended, and the last line of its standard error, for a message: "exited with
  // code 3: no such model". Waits a second for the end, then kills it.
  std::string DescribeEnd();
  // Whether it ended by itself with exit code 0. Waits like DescribeEnd.
  bool Succeeded();
  // The last line of its standard error; may be empty.
  std::string LastErrorLine();
  // The end of its standard error, 4 KiB at most.
  const std::string& ErrorText() const { return error_text_; }

 private:
  ChildProgram() = default;
  Status Spawn(const std::vector<std::string>& argv, const ChildSurroundings& surroundings);
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
  std::string error_text_;  // the end of its standard error
};

}  // namespace recall
