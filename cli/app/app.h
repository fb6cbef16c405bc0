#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recall {

// Runs one command line and returns the exit code. `args`: without `program`, the name by which the
// program was called; as `rekal`, it takes the command lines of that program (docs/cli/README.md).
int RunApp(const std::vector<std::string>& args, std::string_view program);

}  // namespace recall
