#pragma once

#include <cstdint>
#include <string>

#include "cli/run/command/command_context.h"
#include "cli/show/output/ask_json.h"
#include "cli/show/output/response.h"
#include "storage/base/clock.h"

namespace recall {

// Returns: the part of the JSON answer that search, context and query share: everything but the
// rows. `micros` is the duration of the query; times are included only with `explain`. `question`,
// `facts` and the settings of the session must outlive the result.
Result<JsonResponse> BeginAnswer(CommandContext& context, const Question& question,
                                 const AnswerFacts& facts, bool explain, int64_t micros);

// Answers with `send(duration)`, a Status, if JSON was asked for, else with `print()`. `start`:
// SteadyMicros when the command began.
template <typename Send, typename Print>
Result<ExitCode> SendOrPrint(const CommandContext& context, int64_t start, const Send& send,
                             const Print& print) {
  if (context.json()) {
    RECALL_TRY(send(SteadyMicros() - start));
  } else {
    print();
  }
  return ExitCode::kDone;
}

// The text output of --explain.
Result<std::string> ExplainText(CommandContext& context, const Question& question,
                                const AnswerFacts& facts);

}  // namespace recall
