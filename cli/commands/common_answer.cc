#include "cli/commands/common_answer.h"

#include <utility>

#include "cli/show/output/explain_text.h"

namespace recall {

Result<JsonResponse> BeginAnswer(CommandContext& context, const Question& question,
                                 const AnswerFacts& facts, bool explain, int64_t micros) {
  JsonResponse response;
  response.query = [&](JsonWriter& json) { WriteQuery(question, facts, json); };
  Measured measured;
  if (explain) {
    RECALL_ASSIGN(const StatsReport store, context.database->Stats());
    response.explain = [&, store](JsonWriter& json) {
      WriteExplain({question, facts, store, context.config, context.query_cache}, json);
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

Result<std::string> ExplainText(CommandContext& context, const Question& question,
                                const AnswerFacts& facts) {
  RECALL_ASSIGN(const StatsReport store, context.database->Stats());
  return FormatExplain({question, facts, store, context.config, context.query_cache},
                       context.flags.stable);
}

}  // namespace recall
