#pragma once

#include <string>
#include <string_view>

#include "cli/run/reference/command_reference.h"

namespace recall {

// The parts of docs/cli/ that are made from the table of commands and flags, as Markdown. A part
// stands between two lines, and the rest of a page is written by hand:
//
//   <!-- generated: NAME -->
//   ...
//   <!-- end -->

// The part "reference" of a command's page: what the command does, examples, arguments and options.
std::string CommandPart(const CommandReference& command);

// The parts of docs/cli/README.md: "commands", a table with a line for each command; "options",
// those of every command; "environment", the variables that the program reads.
std::string CommandsPart(const ProgramReference& program);
std::string OptionsPart(const ProgramReference& program);
std::string EnvironmentPart();

// Returns: `page` with `part` between the two lines of this name. Fails the test, and returns
// `page` unchanged, if the page does not have these lines exactly once.
std::string WithPart(const std::string& page, std::string_view name, const std::string& part);

}  // namespace recall
