#pragma once

// Decides which vectors one search scans.

#include <cstdint>
#include <vector>

#include "index/search/bitmap/bitmap.h"
#include "index/search/columns/chunk_columns.h"
#include "index/search/vector/vector_scan.h"
#include "index/search/vector/vector_search_types.h"

namespace recall {

// The number of candidates that a search selects by sign code in any case: 1000; in a store of more
// than 10,000,000 vectors one in 10,000, at most 2000. Further vectors are scored in full, up to 16
// times this depth, if their sign codes do not rule them out. If sign codes were those of random
// vectors, this would include all but one in 160 of the vectors as near as the tenth nearest of the
// first candidates.
size_t ShortlistDepth(uint64_t vectors);

struct ScanPlan {
  std::vector<ScanSegment> segments;  // segments with at least one selected vector
  std::vector<DeltaVector> delta;     // vectors of the delta that pass the filter
  uint64_t selected = 0;              // vectors that pass the filter
  size_t depth = 0;                   // of the shortlist: this many are scored in full in any case
  size_t most = 0;                    // upper limit of the vectors scored in full
  bool exact = false;                 // no shortlist: every selected vector is scored in full
  // The IVF lists whose sign codes are scanned first; empty: all lists.
  std::span<const uint16_t> lists;
  // The lists after them, which are scanned as far as they reach the vectors found in the first
  // ones, and their reaches (CoarseQuantizer::Ranking). Empty: none.
  std::span<const uint16_t> further_lists;
  std::span<const float> further_reaches;
};

// The plan depends on the query, the vectors that pass the filter, the size of the store and the
// IVF lists of its space. It does not depend on which segments the vectors are stored in; otherwise
// answers would change with a merge. `query` and `filter` must outlive the plan.
Result<ScanPlan> MakePlan(const ChunkColumns& columns, const VectorQuery& query,
                          const ChunkFilter& filter, const VectorSearchOptions& options);

// The vectors of a plan whose sign codes one scan reads.
struct Probe {
  std::vector<std::vector<uint32_t>> slots;  // for each segment, as ScanSlice::slots; empty: all
  bool unlisted = true;                      // the vectors of segments without lists, too
  std::vector<DeltaVector> delta;
  uint64_t vectors = 0;  // approximate number of vectors scanned
};
Probe ProbeAll(const ScanPlan& plan);
// The vectors in these IVF lists; with `unlisted` also the vectors without a list. All vectors if
// the plan has no lists.
Probe ProbeLists(const ScanPlan& plan, std::span<const uint16_t> lists, bool unlisted);
// The further lists that reach `cosine`.
std::span<const uint16_t> FurtherLists(const ScanPlan& plan, float cosine);

}  // namespace recall
