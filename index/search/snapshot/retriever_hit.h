#pragma once

#include <cstdint>

namespace recall {

// A chunk that a retriever proposes, and its score: BM25 (above 0) for the lexical retriever, the
// cosine of the quantised vectors (in [-1, 1]) for the semantic one.
struct RetrieverHit {
  uint32_t chunk;
  double score;
};

// The order of a retriever's ranking: by score descending, then by chunk rowid ascending.
inline bool IsBetter(const RetrieverHit& a, const RetrieverHit& b) {
  return a.score != b.score ? a.score > b.score : a.chunk < b.chunk;
}

}  // namespace recall
