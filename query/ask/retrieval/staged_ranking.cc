// The fifth step of a search: applies the stages that the request names.
//
// Problem. A stage may compare hits with each other (diversity, near-duplicates) or read their
// texts, so it is too slow for a whole ranking. Its effect must not depend on the page.
//
// Idea. In every search mode the stages see the best hits of the fused ranking, whatever page is
// requested: a hundred, or as many as a stage asks for. They change scores, remove chunks, and may
// exclude chunks that they do not see (further chunks of a document, for example). The chunks that
// follow keep their order, with scores scaled below the last score of these hits.
//
// Invariants. Every score of these hits is higher than every score after them. A removed or
// excluded chunk appears nowhere. `taken` counts the places of the fused ranking that the result of
// the stages replaces: as many as they see, or one more if the source of `similar` was among them,
// or fewer if the ranking is shorter.
//
// Cost: that of the stages. To return `count` places, Best reads as many more places of the fused
// ranking as the stages may have removed.

#include "query/ask/retrieval/staged_ranking.h"

#include <algorithm>
#include <utility>

#include "storage/base/clock.h"

namespace recall {

ScoredChunk StagedRanking::Below(ScoredChunk scored) const {
  scored.parts.lexical *= below_factor;
  scored.parts.ngrams *= below_factor;
  scored.parts.semantic *= below_factor;
  scored.parts.neighbours *= below_factor;
  scored.parts.triggers *= below_factor;
  scored.score *= below_factor;
  return scored;
}

Result<std::optional<StagedRanking>> ApplyStages(const FusedRanking& fused,
                                                 const QueryDependencies& deps,
                                                 const SearchRequest& request,
                                                 const RankingCut& cut) {
  if (cut.stages.Empty()) return std::nullopt;
  StagedRanking staged;
  const std::optional<uint32_t> without = cut.without;
  const size_t window = cut.stages.window();
  RECALL_ASSIGN(const std::vector<ScoredChunk> best, fused.Best(window + (without ? 1 : 0)));
  std::vector<ScoredChunk> head;
  for (; staged.taken < best.size() && head.size() < window; ++staged.taken) {
    if (best[staged.taken].candidate.chunk != without) head.push_back(best[staged.taken]);
  }
  const RetrievalPlan& plan = *fused.plan;
  const StageQuestion question = {&plan.query,
                                  fused.hits.filter(plan).removed,
                                  request.scope.as_of.value_or(WallClockNanos()),
                                  request.ranking.keywords,
                                  plan.allowed,
                                  without,
                                  deps.on_stage,
                                  cut.min_score};
  StageContext context(*fused.snapshot, *plan.indexes, *deps.embedding, *deps.tokenizer,
                       *deps.rankers, question);
  RECALL_ASSIGN(staged.outcome, cut.stages.Run(context, head));
  if (!staged.outcome.ranking.empty()) {
    const double below = kBelowWindow * staged.outcome.ranking.back().score / head.back().score;
    staged.below_factor = std::min(below, 1.0);
  }
  if (without) staged.outcome.left_out.Add(*without);
  return staged;
}

namespace {

// The places that the stages ordered, and those of the fused ranking that follow them.
std::vector<ScoredChunk> WithFollowing(const StagedRanking& staged,
                                       const std::vector<ScoredChunk>& before) {
  std::vector<ScoredChunk> ranking = staged.outcome.ranking;
  for (size_t i = staged.taken; i < before.size(); ++i) {
    if (staged.outcome.left_out.Contains(before[i].candidate.chunk)) continue;
    ranking.push_back(staged.Below(before[i]));
  }
  return ranking;
}

}  // namespace

Result<std::vector<ScoredChunk>> BestStaged(const FusedRanking& fused, const StagedRanking& staged,
                                            size_t count) {
  const size_t ordered = staged.outcome.ranking.size();
  if (count <= ordered) return staged.outcome.ranking;
  const size_t left_out = static_cast<size_t>(staged.outcome.left_out.Count());
  const size_t reach = std::max(count, count + staged.taken - ordered + left_out);
  RECALL_ASSIGN(const std::vector<ScoredChunk> before, fused.Best(reach));
  return WithFollowing(staged, before);
}

Result<std::vector<ScoredChunk>> StagedDownTo(const FusedRanking& fused,
                                              const StagedRanking& staged, double least) {
  std::vector<ScoredChunk> ranking = staged.outcome.ranking;
  const bool may_follow = ranking.empty() || ranking.back().score >= least;
  if (may_follow && staged.below_factor > 0) {
    // Lowered slightly, so that rounding excludes no chunk that scores exactly `least`.
    const double in_fused = least / staged.below_factor * (1 - 1e-9);
    RECALL_ASSIGN(const std::vector<ScoredChunk> before, fused.DownTo(in_fused));
    ranking = WithFollowing(staged, before);
  }
  EraseBelow(least, ranking);
  return ranking;
}

}  // namespace recall
