#pragma once

// Running the program `git`.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

struct GitRun {
  std::string directory;  // git runs here
  std::vector<std::string> arguments;
  std::string_view input = {};              // its standard input
  std::vector<std::string> variables = {};  // "NAME=value"
  bool is_remote = false;                   // it may talk to another machine: ten minutes, not one
};

struct GitOutput {
  bool succeeded = false;  // exit code 0
  std::string text;        // its standard output
  std::string error;       // why it failed, one line of its standard error; may be empty
};

// Runs git without a shell, without a terminal and without optional locks, in the repository of the
// directory: variables of a git command that runs this process are removed. Messages are in
// English. Errors: NotFound if git is not installed; IoError if it does not end in time.
Result<GitOutput> RunGit(const GitRun& run);

// The same; the output is given to `take` in pieces, and `text` stays empty. A Status of `take`
// that is not OK ends git and is the outcome.
Result<GitOutput> StreamGit(const GitRun& run, const std::function<Status(std::string_view)>& take);

}  // namespace recall
