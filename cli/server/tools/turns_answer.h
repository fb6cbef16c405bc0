#pragma once

#include "cli/server/tools/tool_answers.h"

namespace recall {

// Whether a call of `get` asks for turns of a session.
bool AsksForTurns(const CallOfTool& call);

// Answers it: the path, the turns under their headings, then a line with `total_turns`, `offset`
// and, if there are more, the argument `turns` for the next ones. A turn that is larger than the
// budget is cut. Errors: those of the command; limit_exceeded if the budget has no room for text.
ToolResult AnswerWithTurns(const CallOfTool& call, CommandRunner& runner);

}  // namespace recall
