#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "query/retrieval/ranking.h"

namespace recall {

// Explains chunks of one ranking. Belongs to the answer that shows them: it counts how many it has
// explained, and orders the hits of a retriever once that is cheaper than counting better ones.
// Not thread-safe. The ranking must outlive it.
class RankExplainer final {
 public:
  explicit RankExplainer(const Ranking& ranking) : ranking_(ranking) {}

  // How the score of one chunk came about.
  Result<HitExplain> Explain(const ScoredChunk& scored);

 private:
  Result<std::optional<int64_t>> LexicalRank(uint32_t chunk);
  std::optional<int64_t> SemanticRank(uint32_t chunk);

  const Ranking& ranking_;
  size_t lexical_ranks_counted_ = 0;
  std::vector<RetrieverHit> lexical_ranking_;  // of all matches, once it is worth it
  size_t semantic_ranks_counted_ = 0;
  std::vector<uint32_t> semantic_ranks_;  // beside RetrieverHits::semantic, once it is worth it
};

// How the ranking as a whole came about. The filter is the caller's.
SearchExplain ExplainRanking(const Ranking& ranking);

}  // namespace recall
