#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/test_util.h"

namespace recall {

struct RunOptions {
  std::string directory{};                   // to run in; the test's own by default
  std::map<std::string, std::string> env{};  // added to a nearly empty environment
  std::string input{};                       // standard input
  bool terminal = false;       // stdout and stderr are one terminal, 80 columns; see RunResult::out
  bool unprivileged = false;   // run as nobody when the tests run as root
  std::string stdout_file{};   // write there instead ("/dev/full")
  bool stdout_closed = false;  // start without descriptor 1
  bool stdout_unread = false;  // nobody reads the pipe
};

struct RunResult {
  int exit = -1;  // exit code, or -1 when a signal ended it
  int signal = 0;
  std::string out;
  std::string err;

  nlohmann::ordered_json Json() const;
};

std::ostream& operator<<(std::ostream& out, const RunResult& result);

// The names in an object, in its order.
std::vector<std::string> KeysOf(const nlohmann::ordered_json& object);

// Each file that an add found is in one of its counts.
void ExpectSums(const nlohmann::ordered_json& add);

// The real program in an empty directory, with no settings of the user's.
class RecallTest : public ::testing::Test {
 protected:
  RecallTest();

  RunResult Run(const std::vector<std::string>& args, RunOptions options = {});
  // Starts the program and does not wait; stdout and stderr go to /dev/null. Of the options, `env`.
  pid_t Start(const std::vector<std::string>& args, const RunOptions& options = {});
  static RunResult Wait(pid_t child);

  // Files below the test's directory; parent directories are made.
  void Write(const std::string& name, const std::string& text);
  std::string Read(const std::string& name);
  void Erase(const std::string& name);
  std::string Path(const std::string& name) const { return dir_ / name; }
  const std::string& directory() const { return dir_.path(); }

  // Makes a store with a few documents, and fails the test if that does not work.
  void MakeSmallStore();

 private:
  std::vector<std::string> Environment(const RunOptions& options) const;

  TempDir dir_;
  TempDir home_;
};

}  // namespace recall
