#pragma once

#include <string>

#include "cli/run/reference/command_reference.h"

namespace recall {

// Manual pages of section 1, made from the table of commands and flags. They contain no date, so
// that equal programs have equal pages.

// recall(1).
std::string ProgramManPage(const ProgramReference& program);
// recall-search(1), ...
std::string CommandManPage(const ProgramReference& program, const CommandReference& command);

// "recall-search.1"; "recall.1" for the program.
std::string ManPageName(std::string_view command);

}  // namespace recall
