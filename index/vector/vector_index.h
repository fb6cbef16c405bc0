#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "index/filter/bitmap.h"
#include "index/vector/chunk_columns.h"

namespace recall {

struct VectorHit {
  uint32_t chunk;
  float score;  // cosine of the quantised vectors, in [-1, 1]
};

struct VectorSearchOptions {
  size_t k = 200;
  // Hits by chunk row. Where they are many, ordering them by score takes longer than finding them.
  bool by_chunk = false;
  // Candidates that the signature scan hands to the exact rerank in any case, and the largest k
  // that signatures serve; 0: ShortlistDepth of the store.
  size_t depth = 0;
  // And how many when the cosines of these ask for more; 0: 16 times as many.
  size_t most = 0;
  bool exact = false;  // score every vector that passes the filter
  size_t threads = 1;
  // Vectors of the store, which decide on depth and plan; 0: as many as the columns hold, among
  // them those of removed chunks. An answer that maintenance must not change gives the live ones.
  uint64_t store_vectors = 0;
  // A thread is only started for this many vectors or more.
  uint64_t vectors_per_thread = 500'000;
};

struct VectorSearchStats {
  uint64_t scanned = 0;   // vectors that were looked at, if only at their signatures
  uint64_t reranked = 0;  // vectors scored in full
  bool exact = true;      // nothing was left out by its signature: these are the k best
};

// How many candidates the signatures of a store of so many vectors propose at least: 1000, from
// 10,000,000 vectors on one in 10,000, at most 2000. Whatever the signatures of the other vectors
// leave open is scored, too, up to 16 times as many: of vectors as near as the tenth nearest of the
// first candidates all but one in 160, were signatures of vectors drawn at random.
size_t ShortlistDepth(uint64_t vectors);

// The k best chunks that pass the filter, by score descending, then chunk row ascending (or, with
// `by_chunk`, the same ones by chunk row); all that pass when they are fewer. The same answer for
// every thread count, SIMD target, and for mapped or copied segments. A zero query has no hits.
//
// Pages agree: what the signatures propose depends on store, query and filter but not on k, so the
// hits for k are the first k of those for any larger k up to the depth (1000 or more).
//
// Exact, the same as scoring everything, are:
// - searches with `exact`, or with k above the depth;
// - filters that leave few vectors: no more than the depth and those that are scored in the time
//   that the signatures of the store take, 2.2 % of it with 256 dimensions, 0.7 % with 64, 4.6 %
//   with 1024. These are exact for every k.
//
// Which vectors lie in segments and which in the tail makes no difference.
Result<std::vector<VectorHit>> SearchVectors(const ChunkColumns& columns, const VectorQuery& query,
                                             const ChunkFilter& filter,
                                             const VectorSearchOptions& options,
                                             VectorSearchStats* stats = nullptr);

// SearchVectors in two steps, of which the longer one may run beside other work of the transaction.
class VectorSearch final {
 public:
  // Opens what the search looks at; on the transaction's own thread. `columns`, `query` and the
  // filter's bitmaps must outlive it.
  static Result<VectorSearch> Prepare(const ChunkColumns& columns, const VectorQuery& query,
                                      const ChunkFilter& filter,
                                      const VectorSearchOptions& options);
  VectorSearch(VectorSearch&& other) noexcept;
  ~VectorSearch();

  // On any thread, once at a time. Errors: Corruption when a page of a segment is not where it
  // should be.
  Result<std::vector<VectorHit>> Run(VectorSearchStats* stats = nullptr) const;

 private:
  struct Plan;
  VectorSearch(const VectorQuery& query, const VectorSearchOptions& options,
               std::unique_ptr<const Plan> plan);

  const VectorQuery* query_;
  VectorSearchOptions options_;
  std::unique_ptr<const Plan> plan_;  // null: a zero query
};

// The score SearchVectors gives (or would give) each chunk; 0 for chunks without a vector.
// Requires: chunks ascending.
Result<std::vector<float>> ScoreVectors(const ChunkColumns& columns, const VectorQuery& query,
                                        std::span<const uint32_t> chunks);

}  // namespace recall
