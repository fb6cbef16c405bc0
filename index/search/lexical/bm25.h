#pragma once

#include <cstdint>

#include "index/search/columns/chunk_columns.h"

namespace recall {

// The BM25 variant of this project (Robertson and Zaragoza, "The Probabilistic Relevance
// Framework", 2009):
//   sum over clauses of  count in the query * idf * (k1 + 1) * tf / (tf + norm)
//   idf  = ln(1 + (N-df+.5)/(df+.5))
//   norm = k1 * (1 - b + b * length / average length)
inline constexpr double kBm25K1 = 1.5;
inline constexpr double kBm25B = 0.75;

// The idf of a clause that `matches` of `chunks` chunks match.
double InverseDocumentFrequency(uint64_t chunks, uint64_t matches);

// The length normalisation of the denominator. Lengths are lexical tokens and saturate at 65535.
class LengthNorm final {
 public:
  explicit LengthNorm(double average_length) : per_token_(kBm25K1 * kBm25B / average_length) {}
  double operator()(uint32_t length) const { return kBm25K1 * (1 - kBm25B) + per_token_ * length; }

 private:
  double per_token_;
};

// The length normalisation of a chunk, by its rowid. One per thread; fastest for ascending rowids.
class ChunkNorm final {
 public:
  ChunkNorm(const ChunkColumns& columns, double average_length)
      : lengths_(columns), norm_(average_length) {}
  double operator()(uint32_t chunk) { return norm_(lengths_.LexicalTokens(chunk)); }

 private:
  ChunkColumns::LengthCursor lengths_;
  LengthNorm norm_;
};

}  // namespace recall
