// Explains a ranking and its hits. Everything but the ranks of the retrievers is already part of
// the values of the search.
//
// Problem. The rank of a chunk in the complete order of one retriever is not computed by any step
// of a search: the best lexical matches are found without sorting the others.
//
// Idea. There are two ways to find a rank. Counting the better hits scores only the matches that
// may be better. Looking the rank up in the sorted list scores and sorts all matches, but only
// once. Sorting costs about as much as twenty counts. The first twenty ranks are therefore counted,
// and later ones are looked up.
//
// Invariants. Both ways give the same rank, so the number of explained hits does not matter. The
// sorted lists are kept in the explainer, which belongs to one answer; the ranking stays immutable.
// Reciprocal rank fusion has sorted both lists already, so its ranks are always looked up.

#include "query/ask/retrieval/rank_explainer.h"

#include <algorithm>

namespace recall {
namespace {

// Sorting all hits of a retriever costs about as much as this number of counts.
constexpr size_t kWorthOrdering = 20;

const char* OccurName(LexicalClause::Occur occur) {
  if (occur == LexicalClause::Occur::kMust) return "must";
  return occur == LexicalClause::Occur::kMustNot ? "must_not" : "should";
}

}  // namespace

Result<std::optional<int64_t>> RankExplainer::LexicalRank(uint32_t chunk) {
  const FusedRanking& fused = ranking_.fused();
  RECALL_ASSIGN(const std::vector<double> scores, fused.hits.LexicalScores({&chunk, 1}));
  const RetrieverHit hit{chunk, scores.front()};
  if (hit.score <= 0) return std::nullopt;
  if (fused.reciprocal) return RankIn(fused.reciprocal->lexical_ranking, hit);
  if (lexical_ranking_.empty()) {
    if (lexical_ranks_counted_++ < kWorthOrdering) {
      RECALL_ASSIGN(const uint64_t rank, fused.hits.lexical->Rank(hit));
      return static_cast<int64_t>(rank);
    }
    RECALL_ASSIGN(lexical_ranking_, fused.hits.TopLexical(fused.hits.matches()));
  }
  return RankIn(lexical_ranking_, hit);
}

Result<std::optional<double>> RankExplainer::PathScore(uint32_t chunk) const {
  const RetrieverHits& hits = ranking_.fused().hits;
  if (!hits.lexical) return std::nullopt;
  RECALL_ASSIGN(const std::vector<double> scores, hits.lexical->PathScores({&chunk, 1}));
  return scores.front() > 0 ? std::optional(scores.front()) : std::nullopt;
}

Status RankExplainer::ExplainFields(uint32_t chunk, HitExplain* explain) const {
  const FusedRanking& fused = ranking_.fused();
  if (!fused.hits.lexical || fused.plan->query.field_weights.AllOne()) return Status::Ok();
  RECALL_ASSIGN(const auto scores, fused.hits.lexical->ScoreByField(chunk));
  for (size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] > 0) explain->fields.emplace_back(kTextFieldNames[i], scores[i]);
  }
  return Status::Ok();
}

void RankExplainer::ExplainCues(const ScoredChunk& scored, HitExplain* explain) const {
  const CuedRanking& cued = *ranking_.fused().cued;
  const auto found = cued.effects.find(scored.candidate.chunk);
  if (found == cued.effects.end()) return;
  const CuedRanking::Effect& effect = found->second;
  explain->cues = effect.cues;
  explain->cued = StageEffect{.stage = "cues",
                              .was = effect.was,
                              .rank = effect.rank,
                              .score_before = effect.score_before,
                              .score = cued.ranking[static_cast<size_t>(effect.rank - 1)].score,
                              .note = {}};
}

std::optional<int64_t> RankExplainer::SemanticRank(uint32_t chunk) {
  const FusedRanking& fused = ranking_.fused();
  const std::vector<RetrieverHit>& hits = fused.hits.semantic;
  const RetrieverHit* const found = fused.hits.FindSemantic(chunk);
  if (found == nullptr) return std::nullopt;
  const auto place = static_cast<size_t>(found - hits.data());
  if (fused.reciprocal) return fused.reciprocal->semantic_ranks[place];
  if (semantic_ranks_.empty()) {
    if (semantic_ranks_counted_++ < kWorthOrdering) {
      return 1 + std::ranges::count_if(
                     hits, [&](const RetrieverHit& other) { return IsBetter(other, *found); });
    }
    semantic_ranks_ = RanksOf(hits);
  }
  return semantic_ranks_[place];
}

Result<HitExplain> RankExplainer::Explain(const ScoredChunk& scored) {
  const FusedRanking& fused = ranking_.fused();
  const uint32_t chunk = scored.candidate.chunk;
  HitExplain explain;
  RECALL_ASSIGN(explain.lexical_rank, LexicalRank(chunk));
  explain.semantic_rank = SemanticRank(chunk);
  if (fused.plan->lexical) explain.lexical = scored.candidate.lexical;
  RECALL_ASSIGN(explain.path, PathScore(chunk));
  RECALL_TRY(ExplainFields(chunk, &explain));
  if (fused.plan->semantic) explain.semantic = scored.candidate.semantic;
  if (fused.window) {
    const std::vector<uint32_t>& order = fused.window->first_stage_order;
    const auto place = std::ranges::find(order, chunk);
    if (place != order.end()) explain.first_stage_rank = place - order.begin() + 1;
    explain.feedback = std::ranges::count(fused.window->reranking.feedback, chunk) > 0;
  }
  if (fused.cued) ExplainCues(scored, &explain);
  explain.ngrams = scored.ngrams;
  if (fused.parts) explain.evidence = fused.parts->EvidenceOf(chunk);
  explain.parts = scored.parts;
  // A share made of ranks cannot be divided among the words that led to the rank.
  if (explain.path && !fused.reciprocal) {
    explain.parts.path = scored.parts.lexical * ShareOf(*explain.path, scored.candidate.lexical);
  }
  if (ranking_.staged()) {
    const auto& effects = ranking_.staged()->outcome.effects;
    const auto found = effects.find(chunk);
    if (found != effects.end()) explain.stages = found->second;
  }
  return explain;
}

SearchExplain ExplainRanking(const Ranking& ranking) {
  const FusedRanking& fused = ranking.fused();
  const RetrieverHits& hits = fused.hits;
  SearchExplain explain;
  explain.lexical_candidates = static_cast<int64_t>(hits.matches());
  explain.semantic_candidates = static_cast<int64_t>(hits.semantic.size());
  explain.combined_candidates = fused.pool.proposed;
  explain.below_floor = ranking.below_floor();
  explain.fusion = fused.plan->fusion;
  if (fused.parts) {
    explain.combined_candidates = fused.member_count();
    explain.trigger_candidates = static_cast<int64_t>(fused.parts->triggered);
    explain.parts = fused.plan->parts;
  }
  explain.weights = fused.plan->weights;
  explain.calibration = fused.calibration();
  explain.semantic_confidence = fused.pool.semantic_confidence;
  if (fused.window) {
    explain.feedback_chunks = static_cast<int64_t>(fused.window->reranking.feedback.size());
  }
  if (hits.lexical) {
    for (const LexicalTerm& term : hits.lexical->terms()) {
      explain.terms.push_back(
          {term.text, OccurName(term.occur), static_cast<int64_t>(term.matches), term.idf});
      for (const RelatedTerm& related : term.related) {
        explain.terms.back().related.push_back(
            {related.word, related.similarity, static_cast<int64_t>(related.matches)});
      }
    }
  }
  if (ranking.staged()) explain.stages = ranking.staged()->outcome.summaries;
  explain.semantic_method = !fused.plan->semantic ? "none"
                            : hits.vectors_exact  ? "exact"
                                                  : "signatures";
  explain.vectors_scanned = static_cast<int64_t>(hits.vectors_scanned);
  explain.vectors_reranked = static_cast<int64_t>(hits.vectors_reranked);
  return explain;
}

}  // namespace recall
