#pragma once

#include <string>

namespace recall {

struct ShellResult {
  int exit = -1;
  std::string out;  // standard output and standard error, interleaved
};

// Runs a bash script in `directory`, which is also its home, with `recall` on the PATH and without
// the user's settings.
ShellResult RunShell(const std::string& script, const std::string& directory);

// The text in quotes, for the shell.
std::string ShellQuoted(const std::string& text);

}  // namespace recall
