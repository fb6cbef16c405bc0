#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace recall {

// Whether outputs of tools are found in the transcripts of an agent: those of claude-code, codex,
// copilot and gemini.
bool HasToolOutputs(std::string_view agent);

// Calls visit(output, line) for what each use of a tool returned, in the order of the transcript.
// `line`: of the transcript, from 1. `session`: where lines of the transcript name their sessions,
// those of others are left out. Images and what else is no text are left out. `transcript`: of any
// bytes, below 4 GB; what is no JSON is skipped.
using ToolOutputVisitor = std::function<void(std::string_view output, int64_t line)>;
void ForEachToolOutput(std::string_view agent, std::string_view session,
                       std::string_view transcript, const ToolOutputVisitor& visit);

}  // namespace recall
