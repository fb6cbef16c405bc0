#include "cli/commands/common_answer.h"

#include <utility>

#include "cli/show/output/explain_text.h"

namespace recall {

Result<JsonResponse> BeginAnswer(Session& session, const Question& question,
                                 const AnswerFacts& facts, bool explain, int64_t micros) {
  JsonResponse response;
  response.query = [&](JsonWriter& json) { WriteQuery(question, facts, json); };
  Measured measured;
  if (explain) {
    RECALL_ASSIGN(const StatsReport store, session.database->Stats());
    response.explain = [&, store](JsonWriter& json) {
      WriteExplain({question, facts, store, session.config, session.query_cache}, json);
    };
    measured = {micros / 1000, facts.timings, true};
  }
  response.stats = StatsFields(facts, std::move(measured));
  response.warnings = facts.warnings;
  response.next_offset = facts.next_offset;
  if (facts.related) {
    response.related = {facts.related->size(), [&](size_t item, JsonWriter& json) {
                          WriteRelated((*facts.related)[item], {}, json);
                        }};
  }
  return response;
}

Result<std::string> ExplainText(Session& session, const Question& question,
                                const AnswerFacts& facts) {
  RECALL_ASSIGN(const StatsReport store, session.database->Stats());
  return FormatExplain({question, facts, store, session.config, session.query_cache},
                       session.flags.stable);
}

}  // namespace recall
