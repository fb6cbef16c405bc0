#pragma once

#include <string_view>

#include "cli/output/response.h"
#include "cli/session/session.h"
#include "cli/terminal/exit_code.h"

namespace recall {

// Answers with a text that the program carries (help, a manual, a script): as it is, or with
// --json as {..., name: {fields, "text": text}}.
ExitCode AnswerWithText(Session& session, std::string_view name, const JsonFields& fields,
                        std::string_view text);

}  // namespace recall
