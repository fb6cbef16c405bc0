#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "query/ask/ranking/fusion.h"

namespace recall {

// A candidate of the reranking window and its features.
struct RerankItem {
  Candidate candidate;
  std::optional<double> ngrams = {};  // BM25 of character n-grams; unset if it was not computed
  float vector_scale = 0;             // scale of the quantised vector; 0: the zero vector
  std::span<const int8_t> vector;     // padded_dim components, or empty; not owned
};

}  // namespace recall
