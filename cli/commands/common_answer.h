#pragma once

#include <cstdint>
#include <string>

#include "cli/run/command/command_context.h"
#include "cli/show/output/ask_json.h"
#include "cli/show/output/response.h"

namespace recall {

// Returns: the part of the JSON answer that search, context and query share: everything but the
// rows. `micros` is the duration of the query; times are included only with `explain`. `question`,
// `facts` and the settings of the session must outlive the result.
Result<JsonResponse> BeginAnswer(CommandContext& context, const Question& question,
                                 const AnswerFacts& facts, bool explain, int64_t micros);

// The text output of --explain.
Result<std::string> ExplainText(CommandContext& context, const Question& question,
                                const AnswerFacts& facts);

}  // namespace recall
