#include "cli/commands/common_answer.h"

#include "cli/output/explain_text.h"
#include "cli/output/volatile_fields.h"

namespace recall {

Result<JsonResponse> BeginAnswer(Session& session, const Question& question,
                                 const AnswerFacts& facts, bool explain, int64_t micros) {
  JsonResponse response;
  response.query = QueryJson(question, facts);
  Measured measured;
  if (explain) {
    RECALL_ASSIGN(const StatsReport store, session.database->Stats());
    response.explain = ExplainJson(question, facts, store, session.config);
    measured = {micros / 1000, facts.timings, true};
  }
  response.stats = StatsJson(facts, measured);
  response.warnings = facts.warnings;
  response.next_offset = facts.next_offset;
  return response;
}

Result<std::string> ExplainText(Session& session, const Question& question,
                                const AnswerFacts& facts) {
  RECALL_ASSIGN(const JsonResponse response, BeginAnswer(session, question, facts, true, 0));
  Json answer = {{"explain", response.explain}, {"stats", response.stats}};
  if (session.flags.stable) RemoveVolatile(&answer);
  return FormatExplain(answer);
}

}  // namespace recall
