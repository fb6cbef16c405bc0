#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "index/columns/chunk_columns.h"
#include "index/vector/vector_search_types.h"

namespace recall {

// The k best chunks that pass the filter, by score descending, then chunk rowid ascending (or, with
// `by_chunk`, the same ones by chunk rowid); all that pass when they are fewer. The same answer for
// every thread count, SIMD target, and for mapped or copied segments. A zero query has no hits.
//
// Pages agree: what the sign codes propose depends on store, query and filter but not on k, so the
// hits for k are the first k of those for any larger k up to the depth (1000 or more).
//
// Exact, the same as scoring everything, are:
// - searches with `exact`, or with k above the depth;
// - filters that leave few vectors: no more than the depth and those that are scored in the time
//   that the sign codes of the store take, 2.2 % of it with 256 dimensions, 0.7 % with 64, 4.6 %
//   with 1024. These are exact for every k.
//
// Which vectors lie in segments and which in the delta makes no difference.
Result<std::vector<RetrieverHit>> SearchVectors(const ChunkColumns& columns,
                                                const VectorQuery& query, const ChunkFilter& filter,
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
  Result<std::vector<RetrieverHit>> Run(VectorSearchStats* stats = nullptr) const;

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
