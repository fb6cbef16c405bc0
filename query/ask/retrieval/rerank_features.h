#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "index/search/snapshot/semantic_candidates.h"
#include "index/search/snapshot/texts_and_facts.h"
#include "query/ask/ranking/rerank.h"

namespace recall {

// The features of the reranking window, in addition to the scores of the retrievers.
struct RerankFeatures {
  std::vector<RerankItem> items;  // parallel to the window
  // The upper bound of the n-gram score of any text for the query. Unset if the store has no n-gram
  // statistics or the query has no n-gram; then no item has an n-gram score.
  std::optional<double> ngram_upper_bound;
  ChunkComponents components;  // owns the vectors of the items
};

// Reads the vectors of the window and, if the query has n-grams to score, the words of its chunks,
// or the texts of those that the forward index does not cover. `wanted` is the text of the query
// without operators. With two threads or more, texts are scored while the next ones are read; the
// result is the same. `vectors` must outlive the result. Errors: Corruption
// if a text, a vector or the n-gram statistics are damaged.
Result<RerankFeatures> ReadRerankFeatures(const TextsAndFacts& texts,
                                          const SemanticCandidates& vectors,
                                          std::string_view wanted,
                                          std::span<const ScoredChunk> window, size_t threads);

}  // namespace recall
