#pragma once

#include <cstdint>
#include <string>

#include "cli/output/ask_json.h"
#include "cli/output/response.h"
#include "cli/session/session.h"

namespace recall {

// The part of the JSON that search, context and query share: everything except the rows. `micros`
// is the duration of the command; times are included only with --explain. Keeps references to
// `question`, `facts` and the settings of the session.
Result<JsonResponse> BeginAnswer(Session& session, const Question& question,
                                 const AnswerFacts& facts, bool explain, int64_t micros);

// The text output of --explain.
Result<std::string> ExplainText(Session& session, const Question& question,
                                const AnswerFacts& facts);

}  // namespace recall
