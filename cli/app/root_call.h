#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/run/reference/command_reference.h"

namespace recall {

// A command line without a command is a search: `recall JWT expiry` is `recall search JWT expiry`.
struct RootCall {
  const CommandInfo* command;  // search or sessions, whose flags and words the command line has
  std::string words;           // the query; may be empty
  // The command that the first word probably stands for: a misspelt one, or one that has this name
  // in other programs. "" if there is none. The caller reports an error, unless the word is
  // misspelt and the search finds it in a document.
  std::string meant;
  std::string first_word;      // "" if `meant` is
  bool is_other_name = false;  // it is a command in other programs
};

// Returns: the search that a command line asks for; nullopt if it has a command, or neither words
// nor flags of `sessions`. With `sessions`, sessions are searched even without such flags.
std::optional<RootCall> ReadRootCall(const std::vector<std::string>& args, bool sessions);

}  // namespace recall
