#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/server/tools/tool_answers.h"

namespace recall {

// The lines of an answer, and the place of the first one.
struct LinePage {
  std::vector<std::string> lines;  // an object of JSON each
  Json totals;
  uint64_t offset = 0;
  bool more = false;  // the command has further results
};

// The lines that fit the budget of the call, then the totals, with `truncated` and a cursor if any
// are left. Errors: limit_exceeded if not even one fits after it was shortened.
ToolResult FitPage(const CallOfTool& call, LinePage page);

// Leaves out the first lines of a page, which the parts before had: for a command that cannot.
void SkipLines(uint64_t count, LinePage& page);

// The command line of a call, from its cursor on. `first`: its first flags, as that of the form of
// the output. `has_offset`: whether the command can skip results.
std::vector<std::string> PageArgs(const CallOfTool& call, std::vector<std::string> first,
                                  bool has_offset);

// The answer of a tool of the kind kLines, as AnswerWithTexts and its like.
ToolResult AnswerWithLines(const CallOfTool& call, CommandRunner& runner);

}  // namespace recall
