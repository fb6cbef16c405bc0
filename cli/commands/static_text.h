#pragma once

#include <string_view>

#include "cli/run/command/command_context.h"
#include "cli/show/output/response.h"
#include "cli/show/terminal/exit_code.h"

namespace recall {

// Prints a text that is part of the program (help, a manual, a script): unchanged, or with --json
// as {..., name: {fields, "text": text}}.
ExitCode AnswerWithText(CommandContext& context, std::string_view name, const JsonFields& fields,
                        std::string_view text);

}  // namespace recall
