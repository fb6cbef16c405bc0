#pragma once

#include <string>

namespace recall {

struct ShellResult {
  int exit = -1;
  std::string out;  // standard output and standard error, as they came
};

// Runs a bash script in `directory`, with `recall` on its PATH, no settings of the user's, and
// `directory` as home.
ShellResult RunShell(const std::string& script, const std::string& directory);

// 'text', for the shell.
std::string ShellQuoted(const std::string& text);

}  // namespace recall
