// What a ranking says about itself.
//
// Everything but the ranks in the retrievers' own orders is part of the values of the search.
//
// Problem. The rank of a chunk in the whole order of a retriever is a fact of question and store,
// which no step of the search computes: the best of the lexical matches are found without ordering
// the others.
//
// Idea. There are two ways to find a rank: count the hits that are better, which scores only the
// matches that may be, or look it up in the whole order, which scores and sorts all of them once.
// Ordering costs about as much as twenty counts, so the first twenty ranks are counted and later
// ones looked up.
//
// Invariants. Both ways give the same rank, so it does not matter how many hits an answer explains.
// The order is kept in the explainer, which belongs to one answer; the ranking stays immutable.
// Reciprocal rank fusion has made both orders already, so its ranks are always looked up.

#include "query/retrieval/rank_explainer.h"

#include <algorithm>

namespace recall {
namespace {

// As many counts of better hits take as long as ordering all hits.
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
  if (fused.plan->semantic) explain.semantic = scored.candidate.semantic;
  if (fused.window) {
    const std::vector<uint32_t>& order = fused.window->first_stage_order;
    const auto place = std::ranges::find(order, chunk);
    if (place != order.end()) explain.first_stage_rank = place - order.begin() + 1;
    explain.feedback = std::ranges::count(fused.window->reranking.feedback, chunk) > 0;
  }
  explain.ngrams = scored.ngrams;
  explain.parts = scored.parts;
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
  explain.fusion = fused.plan->fusion;
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
