#pragma once

#include <string>
#include <string_view>

namespace recall {

// The words that other tools use for what Recall has too. They are only suggested in errors:
// a command line means the same for everyone who reads it.

// Returns: the command that does what `word` does elsewhere, "rm" for "delete"; "" if none does.
std::string OtherWordForCommand(std::string_view word);
// The same for an option: "--k" for "--limit". The command may not have it.
std::string OtherWordForOption(std::string_view word);

}  // namespace recall
