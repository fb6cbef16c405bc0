#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/reference/command_reference.h"

namespace recall {

// Completion scripts. Each completes the commands, their flags, the values of flags that have few,
// and files where files are meant; it needs nothing but its shell.

// The shells there is a script for, in the order of the alphabet.
std::vector<std::string> CompletionShells();

// Requires: `shell` is one of CompletionShells().
std::string CompletionScript(std::string_view shell, const ProgramReference& program);

namespace internal {
std::string BashCompletions(const ProgramReference& program);
std::string ElvishCompletions(const ProgramReference& program);
std::string FishCompletions(const ProgramReference& program);
std::string PowerShellCompletions(const ProgramReference& program);
std::string ZshCompletions(const ProgramReference& program);
}  // namespace internal

}  // namespace recall
