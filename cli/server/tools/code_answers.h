#pragma once

#include "cli/server/tools/tool_answers.h"

namespace recall {

// Answers of tools about source code and its files.

// The answer of the tool `map`: its text, then a line with totals. Errors: those of the command;
// limit_exceeded if the budget has no room for both.
ToolResult AnswerWithMap(const CallOfTool& call, CommandRunner& runner);

// Answers of the tools `grep` and `symbols`: a line of JSON for each result, then the totals, as
// AnswerWithLines has them. Errors: those of the command; invalid_argument; limit_exceeded.
ToolResult AnswerWithMatches(const CallOfTool& call, CommandRunner& runner);
ToolResult AnswerWithSymbols(const CallOfTool& call, CommandRunner& runner);
// The same, of the tool `related`: a line for each file. The totals have the path of the file, and
// how many sessions and commits counted.
ToolResult AnswerWithChanges(const CallOfTool& call, CommandRunner& runner);

}  // namespace recall
