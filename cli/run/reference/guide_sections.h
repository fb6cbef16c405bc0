#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/flags/flags.h"
#include "cli/run/command/command.h"

namespace recall {

// The guide in its parts. A part begins with a heading of the second level; its name is the first
// word of the heading in lower case. The first part is the short guide, with the title of the page.
struct GuideSection {
  std::string name;       // "rql"
  std::string_view text;  // with its heading, without blank lines at its end
};

// `guide`: the whole page, which must outlive the result.
std::vector<GuideSection> GuideSections(std::string_view guide);

// The names of the sections after the short guide.
std::vector<std::string> GuideSectionNames(std::string_view guide);

// The section that has a table with a row for each command.
inline constexpr std::string_view kGuideOfCommands = "commands";

// What that section says of one command: its rows of the table, then a table of its own flags.
// `own`: the flags and arguments of the command, without the global ones.
std::string GuideOfCommand(std::string_view guide, const CommandInfo& command,
                           const std::vector<FlagSet::Entry>& own);

}  // namespace recall
