#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "query/ask/retrieval/ranking.h"

namespace recall {

// Explains hits of one ranking. Use one explainer for each answer: it counts how many ranks it has
// computed, and sorts the hits of a retriever when this becomes cheaper than counting better hits.
// Not thread-safe. The ranking must outlive it.
class RankExplainer final {
 public:
  explicit RankExplainer(const Ranking& ranking) : ranking_(ranking) {}

  // Returns: how the score of one chunk was computed.
  Result<HitExplain> Explain(const ScoredChunk& scored);

 private:
  Result<std::optional<int64_t>> LexicalRank(uint32_t chunk);
  std::optional<int64_t> SemanticRank(uint32_t chunk);
  Result<std::optional<double>> PathScore(uint32_t chunk) const;
  void ExplainCues(const ScoredChunk& scored, HitExplain* explain) const;
  Status ExplainFields(uint32_t chunk, HitExplain* explain) const;

  const Ranking& ranking_;
  size_t lexical_ranks_counted_ = 0;
  std::vector<RetrieverHit> lexical_ranking_;  // all matches; empty until they are sorted
  size_t semantic_ranks_counted_ = 0;
  std::vector<uint32_t> semantic_ranks_;  // parallel to RetrieverHits::semantic; empty until then
};

// Returns: how the ranking as a whole was computed. The field `filter` is left unset.
SearchExplain ExplainRanking(const Ranking& ranking);

}  // namespace recall
