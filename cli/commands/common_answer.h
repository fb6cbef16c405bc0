#pragma once

#include <cstdint>
#include <string>

#include "cli/output/ask_json.h"
#include "cli/output/response.h"
#include "cli/session/session.h"

namespace recall {

// The common part of the JSON of search, context and query: everything but the rows. `micros`: the
// duration of the query; times are printed only if `explain` is set.
Result<JsonResponse> BeginAnswer(Session& session, const Question& question,
                                 const AnswerFacts& facts, bool explain, int64_t micros);

// The text output of --explain.
Result<std::string> ExplainText(Session& session, const Question& question,
                                const AnswerFacts& facts);

}  // namespace recall
