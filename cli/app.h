#pragma once

#include <string>
#include <vector>

namespace recall {

// Runs one command line (without the program's name) and returns the exit code.
int RunApp(const std::vector<std::string>& args);

}  // namespace recall
