#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/run/command/command_context.h"
#include "cli/show/output/response.h"

namespace recall {

// What a command that watches files prints, as it happens: a line with the time, or a JSON document
// {"watch": {"event", "time", ...}}.
void PrintWatchLine(CommandContext& context, const std::string& text);
void SendWatchEvent(CommandContext& context, std::string_view event,
                    std::vector<std::string> warnings, const JsonFields& fields);
// In either form. A problem delays changes; the command goes on by itself.
void ShowWatchReady(CommandContext& context, int64_t directories, int64_t polled);
void ShowWatchProblem(CommandContext& context, const std::string& problem);

}  // namespace recall
