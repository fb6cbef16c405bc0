#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/embed/vector_space/vector_space.h"
#include "query/ask/ranking/fusion.h"
#include "query/ask/ranking/neighbours.h"
#include "query/ask/ranking/rerank_item.h"

namespace recall {

struct RerankOptions {
  // Weights are not negative, and one is above 0. Only their ratios matter.
  double lexical_weight = 0;
  double ngram_weight = 0;
  double semantic_weight = 0;
  // Scores that no text can exceed for the query.
  double lexical_upper_bound = 0;
  double ngram_upper_bound = 0;
  // The length of the feedback vector that is added to the query's vector of length 1; 0: none.
  double feedback = 1;
  // The share of a score, in [0, 1], that comes from the items with the most similar vectors.
  double smoothing = 0;
};

struct Reranking {
  std::vector<ScoredChunk> ranking;  // scores above 0, by score descending, then chunk rowid
  double calibration = 0;            // score = sum of the parts * calibration
  std::vector<uint32_t> feedback;    // the chunks that moved the query's vector, best first
};

// Ranks the items of the window by all evidence (docs/RETRIEVAL.md, "Second stage: reranking"):
//   H = weighted sum of BM25, n-gram score and cosine, each divided by its maximum over the window
//   The query's vector moves towards those of the five best, weighted by H (pseudo-relevance
//   feedback; Rocchio 1971), and H is computed again with the new cosines.
//   score = (1-a) H + a * mean of H over the five nearest items, weighted by their cosines (score
//   regularisation; Diaz 2005)
// Scores are calibrated as by FusionScale. The result is the same on every CPU: products of int8
// vectors are integers, and floating-point operations (+ - * / sqrt) run in a fixed order.
// `neighbours`: FindNeighbours(items); may be empty if smoothing is 0. Requires: the vectors of the
// items and of the query belong to one vector space.
Reranking Rerank(std::span<const RerankItem> items, const VectorQuery& query,
                 const RerankOptions& options, const Neighbours& neighbours);

}  // namespace recall
