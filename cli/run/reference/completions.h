#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/run/reference/command_reference.h"

namespace recall {

// Completion scripts for shells. Each completes commands, flags, values of flags with a fixed set
// of choices, and file names. A script depends only on its shell.

// The supported shells, in alphabetical order.
std::vector<std::string> CompletionShells();

// Requires: `shell` is one of CompletionShells().
std::string CompletionScript(std::string_view shell, const ProgramReference& program);

namespace internal {
std::string BashCompletions(const ProgramReference& program);
std::string FishCompletions(const ProgramReference& program);
std::string ZshCompletions(const ProgramReference& program);
}  // namespace internal

}  // namespace recall
