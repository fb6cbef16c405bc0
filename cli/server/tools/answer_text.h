#pragma once

// What the answers of tools take from the outputs of commands.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/server/mcp/json_rpc.h"
#include "cli/server/tools/command_runner.h"
#include "cli/server/tools/tool_arguments.h"

namespace recall {

// The lines of an output that are not empty.
std::vector<std::string> OutputLines(std::string_view output);
// The object of a line; an empty one if it is none.
Json ParsedLine(const std::string& line);

// The neighbours over links of an answer, as lean totals have them.
Json LeanNeighbours(const Json& related);

// The error of an answer whose first result does not fit.
ToolFault BudgetTooSmall(int64_t budget);

}  // namespace recall
