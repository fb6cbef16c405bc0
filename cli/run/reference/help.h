#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/flags/flags.h"
#include "cli/run/command/command.h"

namespace recall {

// A row of the list of commands: a command, or several that the short help shows in one row.
struct HelpRow {
  std::vector<const CommandInfo*> commands;
  std::string_view summary = {};  // of several commands together
};

// What one wants to do, and the commands that do it.
struct HelpGroup {
  std::string_view title;
  std::vector<HelpRow> rows;
};

// The help of the program. `recall` and `recall -h` print a short form with examples first.
// `recall --help` has a row for each command, and adds the environment, the files and the exit
// codes.
std::string ProgramHelp(std::span<const HelpGroup> groups, bool full);

// The same for one command: `recall search -h` and `recall search --help`.
std::string CommandHelp(const CommandInfo& command, const std::vector<FlagSet::Entry>& entries,
                        bool full);

}  // namespace recall
