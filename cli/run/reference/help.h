#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/options/flags/flags.h"
#include "cli/run/command/command.h"

namespace recall {

// The help of the program. `recall` and `recall -h` print a short form that fits on a screen, with
// examples first. `recall --help` adds the environment, the files and the exit codes.
std::string ProgramHelp(std::span<const CommandInfo* const> commands, bool full);

// The same for one command: `recall search -h` and `recall search --help`.
std::string CommandHelp(const CommandInfo& command, const std::vector<FlagSet::Entry>& entries,
                        bool full);

}  // namespace recall
