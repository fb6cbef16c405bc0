// Uses: what was used often and lately ranks higher.
//
//   score = best * (score / best + weight * consolidation) / (1 + weight)
//
// The consolidation (index/source/note/consolidation.h) is from 0 to 1, as of the reference time of
// the query. A document that is no note and was never used has none and counts as 0.
//
// Cost: the facts of each document, no text.

#include "index/source/note/consolidation.h"
#include "query/ask/stages/stage.h"

namespace recall {
namespace {

constexpr StageParameter kUsesParameters[] = {
    {"weight", StageParameter::Kind::kNumber, 0.2, 0, 1},
};

class UsesStage final : public RankStage {
 public:
  explicit UsesStage(double weight) : weight_(weight) {}

  Status Apply(StageContext& context, std::vector<StagedHit>& hits) const override {
    const UnixNanos now = context.AsOf();
    std::vector<double> evidence;
    for (StagedHit& hit : hits) {
      RECALL_ASSIGN(const int64_t doc_row, context.DocumentOf(hit.fused.candidate.chunk));
      RECALL_ASSIGN(const auto facts, context.snapshot().notes().FindFacts(doc_row, now));
      std::optional<double> consolidation;
      if (facts) {
        const auto created = facts->is_note ? facts->card.created : std::nullopt;
        consolidation = Consolidation(facts->activity.uses, facts->activity.used_at, created, now);
      }
      evidence.push_back(consolidation.value_or(0));
      if (consolidation) {
        hit.note = std::to_string(facts->activity.uses) + " uses, consolidation " +
                   TwoDigits(*consolidation);
      }
    }
    AddEvidence(hits, evidence, weight_);
    return Status::Ok();
  }

 private:
  const double weight_;
};

std::unique_ptr<RankStage> MakeUsesStage(std::span<const StageValue> values) {
  return std::make_unique<UsesStage>(values[0].number);
}

}  // namespace

const StageInfo kUsesStage = {"uses", kUsesParameters, MakeUsesStage};

}  // namespace recall
