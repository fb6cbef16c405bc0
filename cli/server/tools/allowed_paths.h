#pragma once

#include <string>
#include <vector>

#include "cli/server/tools/tool_arguments.h"

namespace recall {

// Returns: the absolute paths of files that clients of a server may name; relative ones are below
// `root`. Errors: invalid_argument for one outside `root`, symbolic links followed.
tl::expected<std::vector<std::string>, ToolFault> PathsBelow(const std::string& root,
                                                             std::vector<std::string> paths);

}  // namespace recall
