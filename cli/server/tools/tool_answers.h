#pragma once

// The answer of a tool, from the answer of its command.

#include <string>

#include "cli/server/tools/command_runner.h"
#include "cli/server/tools/cursor.h"
#include "cli/server/tools/tool_arguments.h"

namespace recall {

struct ToolAnswer {
  std::string text;           // for the model
  Json structured = nullptr;  // the same data as an object, if it was requested
};

using ToolResult = tl::expected<ToolAnswer, ToolFault>;

struct CallOfTool {
  const ToolInfo& tool;
  const ToolArguments& arguments;
  Cursor cursor;              // where the answer begins; of the first part, the beginning
  int64_t budget_tokens = 0;  // of the text
  bool structured = false;
};

// What the error in the output of a command says.
ToolFault FaultOf(const CommandOutput& output);

// Answers of tools of the kinds kContext, kGet and kObject. Their text has at most
// `call.budget_tokens` tokens; what does not fit is left out from the end, with `truncated` and a
// cursor for the rest. Errors: those of the command; limit_exceeded if not even one result fits.
ToolResult AnswerWithContext(const CallOfTool& call, CommandRunner& runner);
ToolResult AnswerWithTexts(const CallOfTool& call, CommandRunner& runner);
ToolResult AnswerWithObject(const CallOfTool& call, CommandRunner& runner);

}  // namespace recall
