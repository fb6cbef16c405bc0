// The ranking that all answers start from, before stages and minimum score. Its members are
// - all chunks that match the lexical query (and the filter),
// - the chunks that the semantic retriever proposes,
// - in a store of at most a hundred chunks, those that share n-grams with the query,
// - with the fusion `parts`, the first chunks of documents whose triggers fit the query;
// with the fusion `grouped` one chunk of each document instead.
//
// It has up to two parts: the reranked window, and the chunks that follow it in first-stage order.
// Which places are requested (the first 8, the next 100, all) changes no score and no order, so
// consecutive pages fit together: every earlier step is computed without knowing the page.
//
// Cost of Best and DownTo: copying the window if it has all places; otherwise a first-stage ranking
// of that depth is computed again. Pages after the window are rare.

#include "query/ask/retrieval/fused_ranking.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "query/ask/ranking/reciprocal_rank.h"
#include "query/ask/retrieval/grouped_ranking.h"
#include "query/ask/retrieval/word_expansion.h"
#include "query/types/stage_clock.h"

namespace recall {

std::vector<ScoredChunk> FirstOf(const std::vector<ScoredChunk>& ranking, size_t count) {
  size_t end = std::min(count, ranking.size());
  while (end > 0 && end < ranking.size() && ranking[end].score == ranking[end - 1].score) ++end;
  return {ranking.begin(), ranking.begin() + static_cast<ptrdiff_t>(end)};
}

Result<std::vector<ScoredChunk>> FusedRanking::Best(size_t count) const {
  if (!cued) return BestBeforeCues(count);
  if (count <= cued->FinalPlaces()) return FirstOf(cued->ranking, count);
  const size_t further = std::numeric_limits<size_t>::max() - count;
  const size_t reach = count + std::min(cued->ranking.size(), further);
  RECALL_ASSIGN(const std::vector<ScoredChunk> before, BestBeforeCues(reach));
  return FirstOf(cued->With(before, before.size() < reach), count);
}

Result<std::vector<ScoredChunk>> FusedRanking::DownTo(double least) const {
  RECALL_ASSIGN(std::vector<ScoredChunk> ranking, DownToBeforeCues(least));
  if (!cued) return ranking;
  ranking = cued->With(ranking, true);
  EraseBelow(least, ranking);
  return ranking;
}

Result<std::vector<ScoredChunk>> FusedRanking::BestBeforeCues(size_t count) const {
  if (reciprocal) return FirstOf(reciprocal->ranking, count);
  if (parts) return FirstOf(parts->ranking, count);
  if (!window) return RankFirstStage(*plan, hits, pool, count);
  if (count <= window->reranking.ranking.size()) return window->reranking.ranking;
  RECALL_ASSIGN(const std::vector<ScoredChunk> first_stage,
                RankFirstStage(*plan, hits, pool, count));
  return window->With(first_stage);
}

Result<std::vector<ScoredChunk>> FusedRanking::DownToBeforeCues(double least) const {
  std::vector<ScoredChunk> ranking;
  if (reciprocal) {
    ranking = reciprocal->ranking;
  } else if (parts) {
    ranking = parts->ranking;
  } else if (!window) {
    return RankFirstStageDownTo(*plan, hits, pool, least);
  } else if (window->reranking.ranking.empty() || window->reranking.ranking.back().score >= least) {
    const double before = window->FirstStageScore(least, pool.scale);
    RECALL_ASSIGN(const std::vector<ScoredChunk> first_stage,
                  RankFirstStageDownTo(*plan, hits, pool, before));
    ranking = window->With(first_stage);
  } else {
    ranking = window->reranking.ranking;
  }
  EraseBelow(least, ranking);
  return ranking;
}

Result<Bitmap> FusedRanking::Members() const {
  if (parts) return Bitmap::Of(parts->chunks);
  Bitmap members;
  if (reciprocal && plan->leg_depth > 0) {
    for (const ScoredChunk& scored : reciprocal->ranking) members.Add(scored.candidate.chunk);
    return members;
  }
  if (hits.lexical) {
    RECALL_ASSIGN(members, hits.lexical->Matches());
  }
  for (const RetrieverHit& hit : hits.semantic) members.Add(hit.chunk);
  return window ? members.Or(window->unproposed) : members;
}

Result<bool> FusedRanking::IsMember(uint32_t chunk) const {
  if (parts) return parts->Contains(chunk);
  if (reciprocal && plan->leg_depth > 0) {
    return std::ranges::any_of(reciprocal->ranking, [chunk](const ScoredChunk& scored) {
      return scored.candidate.chunk == chunk;
    });
  }
  if (hits.FindSemantic(chunk) || (window && window->unproposed.Contains(chunk))) return true;
  if (!hits.lexical) return false;
  RECALL_ASSIGN(const uint64_t matches, hits.lexical->CountAmong({&chunk, 1}));
  return matches != 0;
}

int64_t FusedRanking::member_count() const {
  if (parts) return static_cast<int64_t>(parts->ranking.size());
  if (reciprocal && plan->leg_depth > 0) return static_cast<int64_t>(reciprocal->ranking.size());
  return pool.proposed + (window ? static_cast<int64_t>(window->unproposed.Count()) : 0);
}

double FusedRanking::calibration() const {
  if (plan->fusion == FusionMethod::kReciprocalRank) return kReciprocalCalibration;
  if (FusesParts(plan->fusion)) return 1;
  return window ? window->reranking.calibration : pool.scale.calibration();
}

ScoredChunk FusedRanking::BestUnproposed() const {
  if (plan->fusion == FusionMethod::kReciprocalRank) {
    return FuseReciprocalRanks({0, 0, 0}, 0, hits.semantic.size() + 1);
  }
  if (plan->fusion == FusionMethod::kGrouped) return {};
  if (plan->fusion == FusionMethod::kParts) {
    return FuseParts({0, 0, hits.semantic_floor}, {0, hits.semantic_floor, 0}, plan->parts);
  }
  const ScoredChunk scored = pool.scale.Fuse({0, 0, hits.semantic_floor});
  return window ? window->Below(scored) : scored;
}

namespace {

// Replaces the query by one with terms that stand for the words that no chunk contains, and runs
// the retrievers again. Returns: the expansions; none if no word is missing or nothing is similar.
Result<std::vector<WordExpansion>> ExpandAndRunAgain(const Snapshot& snapshot,
                                                     const QueryDependencies& deps,
                                                     const SearchRequest& request,
                                                     RetrievalPlan& plan, RetrieverHits& hits) {
  std::vector<WordExpansion> expansions;
  if (!hits.lexical) return expansions;
  RECALL_ASSIGN(std::optional<ExpandedQuery> expanded,
                ExpandMissingWords(snapshot, plan, *hits.lexical, *deps.tokenizer));
  if (!expanded) return expansions;
  std::optional<std::string> semantic_text;
  if (!expanded->corrections.empty()) {
    semantic_text = request.semantic_text.value_or(request.text) + expanded->corrections;
  }
  hits = {};  // refers to the plan
  RECALL_TRY(ReplaceQuery(deps, std::move(expanded->query), semantic_text, plan));
  RECALL_ASSIGN(hits, RunRetrievers(plan));
  return std::move(expanded->expansions);
}

}  // namespace

Result<FusedRanking> MakeFusedRanking(const Snapshot& snapshot, const QueryDependencies& deps,
                                      const SearchRequest& request, const Bitmap* allowed,
                                      const SynthesizedQuery* made) {
  FusedRanking ranking;
  ranking.snapshot = &snapshot;
  ranking.rows = std::make_unique<RowReader>(snapshot.texts());
  RECALL_ASSIGN(auto made_plan, MakeRetrievalPlan(snapshot, deps, request, allowed, made));
  RECALL_ASSIGN(ranking.hits, RunRetrievers(*made_plan));
  if (!made && request.expand_words) {
    RECALL_ASSIGN(ranking.expansions,
                  ExpandAndRunAgain(snapshot, deps, request, *made_plan, ranking.hits));
  }
  ranking.plan = std::move(made_plan);
  const RetrievalPlan& plan = *ranking.plan;
  StageClock clock;
  ReportedStage fusing(deps.on_stage, kFusionStage);
  RECALL_ASSIGN(ranking.pool, MakeCandidatePool(plan, ranking.hits));
  clock.Finish("fuse", ranking.timings);
  if (plan.fusion == FusionMethod::kReciprocalRank) {
    RECALL_ASSIGN(ranking.reciprocal, RankReciprocally(plan, ranking.hits, &snapshot.texts()));
    clock.Finish("rerank", ranking.timings);
  } else if (plan.fusion == FusionMethod::kParts) {
    RECALL_ASSIGN(ranking.parts, RankByParts(snapshot, plan, ranking.hits));
    clock.Finish("rerank", ranking.timings);
  } else if (plan.fusion == FusionMethod::kGrouped) {
    RECALL_ASSIGN(ranking.parts, RankGrouped(snapshot, plan, ranking.hits));
    clock.Finish("rerank", ranking.timings);
  } else if (plan.hybrid() && plan.fusion == FusionMethod::kDefault) {
    RECALL_ASSIGN(ranking.window, RerankWindow(snapshot, plan, ranking.hits, ranking.pool));
    clock.Finish("rerank", ranking.timings);
  }
  if (plan.cues) {
    RECALL_ASSIGN(std::vector<ScoredChunk> best, ranking.BestBeforeCues(kCuedPlaces));
    const CueSources sources = {snapshot,
                                plan,
                                ranking.hits,
                                ranking.pool,
                                ranking.window ? &*ranking.window : nullptr,
                                *deps.tokenizer,
                                *ranking.rows};
    RECALL_ASSIGN(ranking.cued, RankByCues(sources, *plan.cues, std::move(best)));
    clock.Finish("cues", ranking.timings);
  }
  fusing.End(ranking.member_count());
  return ranking;
}

}  // namespace recall
