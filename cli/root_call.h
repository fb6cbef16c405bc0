#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/run/reference/command_reference.h"

namespace recall {

// A command line without a command is a search: `recall JWT expiry` is `recall search JWT expiry`.
struct RootCall {
  const CommandInfo* command;  // search or sessions; the command line has its flags and words
  std::string words;           // as they are searched for; may be empty
  // If the first word is nearly a command, or what a command is called elsewhere: that command.
  // Then the word is an error, unless a text has it.
  std::string first_word;
  std::string meant;
};

// Returns: what the command line asks for; nullopt if it has a command, or neither words nor flags
// of sessions. `sessions`: sessions are searched, whatever the flags.
std::optional<RootCall> ReadRootCall(const std::vector<std::string>& args, bool sessions);

// Whether the program was called by the name `rekal`.
bool IsRekal(std::string_view program);

// Returns: the command lines that stand for one of `rekal`: checkpoint is capture. Those of others
// are themselves.
std::vector<std::vector<std::string>> CallsOfRekal(std::vector<std::string> args);

}  // namespace recall
