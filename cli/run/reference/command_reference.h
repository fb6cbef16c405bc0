#pragma once

#include <string>
#include <vector>

#include "cli/options/flags/flags.h"
#include "cli/run/command/command.h"

namespace recall {

// The table of commands and their flags, from which completions and man pages are made.

struct CommandReference {
  const CommandInfo* info = nullptr;
  std::vector<FlagSet::Entry> entries;  // its flags and arguments, without global flags
};

struct ProgramReference {
  std::vector<CommandReference> commands;
  std::vector<FlagSet::Entry> globals;  // flags of every command
};

// The kind of value of a flag or argument.
enum class ValueKind {
  kNone,      // a switch
  kText,      // any text
  kFiles,     // names of files and directories
  kOneOfFew,  // OfferedValues
};

// By convention the value names PATH, FILE, DIR, TARGET and OLD mean files.
ValueKind ValueKindOf(const FlagSet::Entry& entry);

// The values that completions offer: all choices, or some suggestions.
const std::vector<std::string>& OfferedValues(const FlagSet::Entry& entry);

// The argument of a command; null if it has none.
const FlagSet::Entry* FindArgument(const CommandReference& command);

// Joins words: {"a", "b"} with ' ' gives "a b".
std::string Join(const std::vector<std::string>& words, std::string_view separator);

// `text` with `escape` before each of `special`.
std::string Escaped(std::string_view text, std::string_view special, std::string_view escape);

}  // namespace recall
