#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "index/interface/semantic_candidates.h"
#include "index/interface/texts_and_facts.h"
#include "query/ranking/rerank.h"

namespace recall {

// What the second stage reads of its candidates, beside the scores of the retrievers.
struct RerankFeatures {
  std::vector<RerankItem> items;  // in the order of the window
  // The n-gram score that no text can reach. None: the store has no statistics of n-grams, or the
  // query has no n-gram; then no item has an n-gram score.
  std::optional<double> ngram_upper_bound;
  ChunkComponents components;  // owns the vectors of the items
};

// Reads vectors and, where the n-grams of `wanted` can score, texts. `vectors` must outlive the
// result. Errors: Corruption when a candidate's text or vector, or the model, is damaged. With two
// threads texts are scored while the next ones are read.
Result<RerankFeatures> ReadRerankFeatures(const TextsAndFacts& texts,
                                          const SemanticCandidates& vectors,
                                          std::string_view wanted,
                                          std::span<const ScoredChunk> window, size_t threads);

}  // namespace recall
