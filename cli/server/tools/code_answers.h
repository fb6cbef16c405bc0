#pragma once

#include "cli/server/tools/tool_answers.h"

namespace recall {

// Answers of the tools `grep` and `symbols`: a line of JSON for each result, then the totals, as
// AnswerWithLines has them. Errors: those of the command; invalid_argument; limit_exceeded.
ToolResult AnswerWithMatches(const CallOfTool& call, CommandRunner& runner);
ToolResult AnswerWithSymbols(const CallOfTool& call, CommandRunner& runner);

}  // namespace recall
