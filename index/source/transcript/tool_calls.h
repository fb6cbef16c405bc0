#pragma once

// Finds files and commands in the arguments of a tool call, for the tools of all agents.

#include <string>
#include <string_view>
#include <vector>

#include "index/base/json/json_tape.h"
#include "index/source/session/agent_session.h"

namespace recall {

// The uses of a tool, without their turn: one for each file of a patch or a list, else one.
// Their texts are whole, with their line breaks. `arguments`: an object, a string that holds one,
// the text of a patch, or none.
std::vector<ToolCall> ToolCallsOf(std::string_view tool, TapeValue arguments);

}  // namespace recall
