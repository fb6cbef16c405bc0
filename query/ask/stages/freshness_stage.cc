// Freshness of notes: what a note says counts less when it is overdue for a review.
//
//   score * 1 (fresh), 0.85 (aging), 0.5 (stale), 0.2 (expired or obsolete)
//
// The state is that of the note as of the reference time of the query (--as-of, else the current
// time). A hit that is no note has no state and keeps its score. The neighbours that the stage
// `hops` found before are treated alike.
//
// No factor raises a score. So if this is the last stage, hits below the minimum score are dropped
// in any state, and their states are not read: a few of a hundred hits are above that of a view.
//
// Cost: the facts of the documents of these hits, no text.

#include "query/ask/stages/stage.h"

namespace recall {
namespace {

double FactorOf(Lifecycle state) {
  switch (state) {
    case Lifecycle::kFresh:
      return 1;
    case Lifecycle::kAging:
      return 0.85;
    case Lifecycle::kStale:
      return 0.5;
    case Lifecycle::kExpired:
    case Lifecycle::kObsolete:
      break;
  }
  return 0.2;
}

class FreshnessStage final : public RankStage {
 public:
  Status Apply(StageContext& context, std::vector<StagedHit>& hits) const override {
    context.AsOf();  // records that the answer depends on the time
    const auto state_of = [&](int64_t doc_row) -> Result<std::optional<Lifecycle>> {
      RECALL_ASSIGN(const std::optional<NoteState> state, context.StateOf(doc_row));
      return state ? state->lifecycle : std::nullopt;
    };
    for (StagedHit& hit : hits) {
      if (hit.fused.score < context.floor()) continue;
      RECALL_ASSIGN(const int64_t doc_row, context.DocumentOf(hit.fused.candidate.chunk));
      RECALL_ASSIGN(const std::optional<Lifecycle> state, state_of(doc_row));
      if (!state) continue;
      hit.fused.score *= FactorOf(*state);
      hit.note = LifecycleName(*state);
    }
    for (RelatedRow& related : context.related()) {
      RECALL_ASSIGN(const std::optional<Lifecycle> state, state_of(related.doc_row));
      if (state) related.score *= FactorOf(*state);
    }
    return Status::Ok();
  }
};

std::unique_ptr<RankStage> MakeFreshnessStage(std::span<const StageValue>) {
  return std::make_unique<FreshnessStage>();
}

}  // namespace

const StageInfo kFreshnessStage = {"freshness", {}, MakeFreshnessStage, kStalenessEvent};

}  // namespace recall
