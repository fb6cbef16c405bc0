#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/vector_space/vector_space.h"
#include "query/ranking/fusion.h"

namespace recall {

// One of the best candidates of the first ranking, with what it takes to rank it once more.
struct RerankItem {
  Candidate candidate;
  std::optional<double> ngrams = {};  // BM25 of its character n-grams, if that was looked at
  float vector_scale = 0;             // of the quantised vector; 0: it says nothing
  std::span<const int8_t> vector;     // padded_dim, or none
};

struct RerankOptions {
  double lexical_weight = 0;  // not negative, one above 0; only their ratios matter
  double ngram_weight = 0;
  double semantic_weight = 0;
  // What no text can reach for this query.
  double lexical_upper_bound = 0;
  double ngram_upper_bound = 0;
  // How far the query's vector moves towards the best items.
  double feedback = 0.5;
  // The share of a score that comes from the items whose vectors are nearest.
  double smoothing = 0;
};

struct Reranking {
  std::vector<ScoredChunk> ranking;  // scores above zero, by score descending, then chunk rowid
  double calibration = 0;            // score = sum of the parts * calibration
  std::vector<uint32_t> feedback;    // chunks that moved the query's vector, best first
};

// Ranks the best candidates by all evidence there is (docs/RETRIEVAL.md, "Second stage"):
//   H = weighted sum of lexical, n-gram and semantic evidence, each divided by its maximum
//   the query's vector moves towards those of the five best, weighted by H (pseudo-relevance
//   feedback; Rocchio 1971), and H is computed again with the new cosines
//   score = (1-a) H + a * mean of H over the five nearest items, weighted by their cosines (score
//   regularisation; Diaz 2005)
// Evidence is kept absolute as in FusionScale. Deterministic: integers, and + - * / sqrt in a fixed
// order.
// Requires: vectors of one space, the query's among them.
Reranking Rerank(std::span<const RerankItem> items, const VectorQuery& query,
                 const RerankOptions& options);

}  // namespace recall
