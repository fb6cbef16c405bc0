#pragma once

#include <cstdint>

namespace recall {

// A chunk that a retriever proposes, and its score there: BM25 (above 0) of the lexical retriever,
// the cosine of the quantised vectors (in [-1, 1]) of the semantic one.
struct RetrieverHit {
  uint32_t chunk;
  double score;
};

// The order of a retriever's ranking: by score descending, then chunk rowid.
inline bool IsBetter(const RetrieverHit& a, const RetrieverHit& b) {
  return a.score != b.score ? a.score > b.score : a.chunk < b.chunk;
}

}  // namespace recall
