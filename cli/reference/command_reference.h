#pragma once

#include <string>
#include <vector>

#include "cli/flags/flags.h"
#include "cli/session/command.h"

namespace recall {

// What completions and man pages are made from: the table of commands with the flags each declares.

struct CommandReference {
  const CommandInfo* info = nullptr;
  std::vector<FlagSet::Entry> entries;  // its own flags and arguments
};

struct ProgramReference {
  std::vector<CommandReference> commands;
  std::vector<FlagSet::Entry> globals;  // flags of every command
};

// What can stand for the value of a flag, or for an argument.
enum class ValueKind {
  kNone,      // a switch
  kText,      // anything
  kFiles,     // names of files and directories
  kOneOfFew,  // entry.choices
};

// By convention PATH, FILE, DIR, TARGET and OLD name files.
ValueKind ValueKindOf(const FlagSet::Entry& entry);

// The argument of a command; null when it takes none.
const FlagSet::Entry* FindArgument(const CommandReference& command);

// {"a", "b"} with ' ' is "a b".
std::string Join(const std::vector<std::string>& words, std::string_view separator);

// `text` with `escape` before each of `special`.
std::string Escaped(std::string_view text, std::string_view special, std::string_view escape);

}  // namespace recall
