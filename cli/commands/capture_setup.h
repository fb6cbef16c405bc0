#pragma once

#include <string>
#include <vector>

#include "cli/run/command/command.h"
#include "query/types/session_types.h"

namespace recall {

// Sets what the environment and the settings of the user say of a capture: the project, which is
// `directory`, the places of transcripts, the user's secrets and the number of threads.
void SetUpCapture(const CommandContext& context, const std::string& directory,
                  CaptureRequest* request);

// What is wrong with a capture that has ended.
std::vector<std::string> WarningsOf(const CaptureReport& report);

}  // namespace recall
