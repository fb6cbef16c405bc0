#pragma once

// What the tools of agents do with the file that they name.

#include "index/source/session/agent_session.h"

namespace recall {

// Whether the tool writes the file, creates or deletes it. A shell that names a file was given a
// patch of it (tool_calls.h).
bool ChangesFile(const ToolCall& call);

// Whether the tool shows the file to the agent.
bool ReadsFile(const ToolCall& call);

// The name of a tool by which those of all agents are compared: "mcp__fs__Write_File" is
// "writefile".
std::string PlainToolName(std::string_view tool);

}  // namespace recall
