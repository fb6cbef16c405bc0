#pragma once

// The command lines of rekal, whose name this program may be called by.

#include <string>
#include <string_view>
#include <vector>

namespace recall {

// Whether `program`, the path that the program was called by, ends with the name `rekal`.
bool IsRekal(std::string_view program);

// Translates a command line of rekal, without the name of the program. Returns: the command lines
// of recall to run one after the other, such as {"capture"} for {"checkpoint"}. A command line that
// has the same meaning here is returned as it is.
std::vector<std::vector<std::string>> CallsOfRekal(std::vector<std::string> args);

}  // namespace recall
