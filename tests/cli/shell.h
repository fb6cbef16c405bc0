#pragma once

#include <string>

namespace recall {

struct ShellResult {
  int exit = -1;
  std::string out;  // standard output and standard error, interleaved
};

// Runs a bash script in `directory`, which is also its home, with `recall` on the PATH and without
// the user's settings. If the environment variable RECALL_TEST_BIN is set, it is the directory of
// the `recall` to run; otherwise the one that was built with the test runs.
ShellResult RunShell(const std::string& script, const std::string& directory);

// The text in quotes, for the shell.
std::string ShellQuoted(const std::string& text);

}  // namespace recall
