#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "index/search/bitmap/bitmap.h"
#include "index/search/columns/chunk_columns.h"
#include "index/search/vector/vector_search_types.h"

namespace recall {

// Finds the k best chunks that pass the filter (all, if fewer than k pass), by score descending,
// then chunk rowid ascending; with `by_chunk`, the same chunks by chunk rowid. The answer is the
// same for every thread count and SIMD target, and for mapped or copied segments. A zero query has
// no hits. Errors: Corruption.
//
// The search has two steps, so that the longer one can run in parallel with other work of the
// transaction.
//
// Pagination is consistent: the candidates selected by sign codes depend on store, query and filter
// but not on k. The hits for k are the first k of the hits for any larger k up to the depth (1000
// or more).
//
// These searches are exact: they return the same hits as scoring every vector in full.
// - searches with `exact`, or with k above the depth;
// - searches whose filter leaves few vectors: no more than the depth plus the number that can be
//   scored in the time of a scan of the store's sign codes, which is 2.2 % of the store for 256
//   dimensions, 0.7 % for 64, 4.6 % for 1024. These are exact for every k.
//
// The answer does not depend on which vectors are in segments and which are in the delta.
class VectorSearch final {
 public:
  // Plans the search and opens the sections it reads; call it on the transaction's thread.
  // `columns`, `query` and the filter's bitmaps must outlive the result.
  static Result<VectorSearch> Prepare(const ChunkColumns& columns, const VectorQuery& query,
                                      const ChunkFilter& filter,
                                      const VectorSearchOptions& options);
  VectorSearch(VectorSearch&& other) noexcept;
  ~VectorSearch();

  // Runs on any thread, but not twice at the same time. Errors: Corruption if a page of a segment
  // is misplaced.
  Result<std::vector<RetrieverHit>> Run(VectorSearchStats* stats = nullptr) const;

 private:
  struct Plan;
  VectorSearch(const VectorQuery& query, const VectorSearchOptions& options,
               std::unique_ptr<const Plan> plan);

  const VectorQuery* query_;
  VectorSearchOptions options_;
  std::unique_ptr<const Plan> plan_;  // null for a zero query
};

// Returns: the cosines of these chunks, as VectorSearch computes them; 0 for a chunk without a
// vector. Requires: chunks ascend. Call it on the transaction's thread.
Result<std::vector<float>> ScoreVectors(const ChunkColumns& columns, const VectorQuery& query,
                                        std::span<const uint32_t> chunks);

}  // namespace recall
