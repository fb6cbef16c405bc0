#pragma once

// What a model is told of the server when a session begins; the descriptions of the tools say the
// rest.

#include <cstdint>
#include <string>

#include "cli/server/tools/recall_service.h"

namespace recall {

// The most tokens of the text, by EstimateTokens. Every session pays for it.
inline constexpr int64_t kMostInstructionTokens = 150;

// Speaks only of tools that a server with these options offers. One that saves notes also says when
// to recall and when to save.
std::string InstructionsOf(const RecallServiceOptions& options);

}  // namespace recall
