#pragma once

#include <cstdint>
#include <string>

#include "cli/output/ask_json.h"
#include "cli/output/response.h"
#include "cli/session/session.h"

namespace recall {

// What the JSON of search, context and query has in common: everything but the rows. `micros` is
// how long the answer took; times are only told where `explain` asks for them. Views `question`,
// `facts` and the session's settings.
Result<JsonResponse> BeginAnswer(Session& session, const Question& question,
                                 const AnswerFacts& facts, bool explain, int64_t micros);

// The text output of --explain.
Result<std::string> ExplainText(Session& session, const Question& question,
                                const AnswerFacts& facts);

}  // namespace recall
