#pragma once

// RecallTest, the fixture of tests that run the `recall` binary.

#include <gtest/gtest.h>
#include <sys/types.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/test_util.h"

namespace recall {

struct RunOptions {
  std::string directory{};                   // the working directory; default: that of the test
  std::map<std::string, std::string> env{};  // added to a nearly empty environment
  std::string input{};                       // standard input
  bool terminal = false;       // stdout and stderr are one terminal, 80 columns; see RunResult::out
  bool typed = false;          // with `terminal`: stdin is the terminal, too; `input` is typed
  bool unprivileged = false;   // run as nobody if the tests run as root
  bool single_thread = false;  // the system refuses further threads; requires `unprivileged`
  size_t stack_bytes = 0;      // `ulimit -s`; 0: that of the tests
  std::string stdout_file{};   // redirect stdout there ("/dev/full")
  bool stdout_closed = false;  // start with descriptor 1 closed
  bool stdout_unread = false;  // stdout is a pipe without a reader
};

struct RunResult {
  int exit = -1;  // exit code, or -1 if a signal ended the process
  int signal = 0;
  std::string out;
  std::string err;

  nlohmann::ordered_json Json() const;
};

std::ostream& operator<<(std::ostream& out, const RunResult& result);

// The names of an object's members, in their order.
std::vector<std::string> KeysOf(const nlohmann::ordered_json& object);

// Checks that the counts of an `add` add up to the number of files that it found.
void ExpectSums(const nlohmann::ordered_json& add);

// A running program that is asked line by line, and answers so.
class Conversation final {
 public:
  // `in`, `out`: the ends of pipes to and from the process; owned.
  Conversation(pid_t child, int in, int out) : child_(child), in_(in), out_(out) {}
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  // Writes `line` and a newline. The program must read meanwhile.
  void Send(const std::string& line);
  // Waits for the next line. The test fails if the output ends before.
  std::string NextLine();
  // Closes the input, and waits for the end of the program. Returns: its exit and the output that
  // was not read yet.
  RunResult Finish();

 private:
  pid_t child_;
  int in_;
  int out_;
  std::string read_;
};

// A running program that has a terminal for all its streams.
class TerminalProgram final {
 public:
  // `master`, `slave`: the ends of the terminal; owned.
  TerminalProgram(int master, int slave);
  ~TerminalProgram();
  TerminalProgram(const TerminalProgram&) = delete;
  TerminalProgram& operator=(const TerminalProgram&) = delete;

  void set_child(pid_t child) { child_ = child; }

  // Waits until the program has written this. The test fails after twenty seconds.
  void See(const std::string& text);
  void Type(const std::string& keys);
  void Signal(int signal);
  // Waits for the end of the program. Returns: its exit, and all that it wrote.
  RunResult Finish();
  // Whether the modes of the terminal are those from before the start.
  bool has_first_modes() const;

 private:
  pid_t child_ = -1;
  int master_;
  int slave_;
  std::string first_modes_;
  std::string written_;
};

// Runs the `recall` binary in an empty directory, without the user's settings. If
// RECALL_TEST_SERVER is set, to anything, the store of each test is not in that directory but on a
// PostgreSQL server (RECALL_STORE names it), unless the test names one.
class RecallTest : public ::testing::Test {
 protected:
  RecallTest();

  RunResult Run(const std::vector<std::string>& args, RunOptions options = {});
  // Starts the program without waiting; stdout and stderr go to /dev/null. Only `env` and
  // `stdout_file` of the options are used.
  pid_t Start(const std::vector<std::string>& args, const RunOptions& options = {});
  static RunResult Wait(pid_t child);
  // Starts the program with pipes; stderr is that of the tests. Only `env` and `directory` of the
  // options are used.
  std::unique_ptr<Conversation> StartConversation(const std::vector<std::string>& args,
                                                  const RunOptions& options = {});

  // Starts the program on a terminal of its own, with 80 columns and 24 rows. Only `env` and
  // `unprivileged` of the options are used.
  std::unique_ptr<TerminalProgram> StartOnTerminal(const std::vector<std::string>& args,
                                                   const RunOptions& options = {});

  // Access to files below the test's directory. Write creates parent directories.
  void Write(const std::string& name, const std::string& text);
  std::string Read(const std::string& name);
  void Erase(const std::string& name);
  std::string Path(const std::string& name) const { return dir_ / name; }
  const std::string& directory() const { return dir_.path(); }
  // The address of the store, or the directory that it is in.
  const std::string& store() const { return server_store_.empty() ? directory() : server_store_; }

  // Creates a store with a few documents.
  void MakeSmallStore();

 private:
  std::vector<std::string> Environment(const RunOptions& options) const;

  TempDir dir_;
  TempDir home_;
  std::string server_store_;  // "": the store is a file
};

}  // namespace recall
