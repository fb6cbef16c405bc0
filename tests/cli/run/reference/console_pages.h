#pragma once

#include <string>
#include <vector>

namespace recall {

// The documents whose `console` blocks the tests run: README.md and those in docs/, by their paths
// in the repository, sorted; except docs/guide.md, which has tests of its own.
std::vector<std::string> ConsolePages();

// Those of them whose commands look for definitions of source code, which a program that was built
// without grammars does not find.
std::vector<std::string> ConsolePagesOfCode();

// Runs the blocks of a page in an empty directory in `home`, which is the home directory. The test
// fails where a command does not print what is shown.
void RunConsolePage(const std::string& page, const std::string& home);

}  // namespace recall
