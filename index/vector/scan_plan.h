#pragma once

// What one search looks at.

#include <cstdint>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "index/columns/chunk_columns.h"
#include "index/vector/vector_scan.h"
#include "index/vector/vector_search_types.h"

namespace recall {

// How many candidates the sign codes of a store of so many vectors propose at least: 1000, from
// 10,000,000 vectors on one in 10,000, at most 2000. Whatever the sign codes of the other vectors
// leave open is scored, too, up to 16 times as many: of vectors as near as the tenth nearest of the
// first candidates all but one in 160, were sign codes of vectors drawn at random.
size_t ShortlistDepth(uint64_t vectors);

struct ScanPlan {
  std::vector<ScanSegment> segments;  // those with something selected
  std::vector<DeltaVector> delta;     // what passes the filter
  uint64_t selected = 0;              // vectors that pass the filter
  size_t depth = 0;                   // of the shortlist: scored in full in any case
  size_t most = 0;                    // and at most
  bool exact = false;                 // no shortlist, everything is scored in full
  // Whose vectors have their sign codes looked at; empty: all there are.
  std::span<const uint16_t> lists;
};

// What is scored in full, and what is left out, depends on the question, the vectors that pass, the
// size of the store and the lists of its space: not on which segments hold them, or answers would
// change with a merge. `query` and `filter` must outlive it.
Result<ScanPlan> MakePlan(const ChunkColumns& columns, const VectorQuery& query,
                          const ChunkFilter& filter, const VectorSearchOptions& options);

// The vectors of a plan that one scan looks at.
struct Probe {
  std::vector<std::vector<uint32_t>> slots;  // of each segment, as ScanSlice::slots; empty: all
  std::vector<DeltaVector> delta;
  uint64_t vectors = 0;  // about as many as it looks at
};
Probe ProbeAll(const ScanPlan& plan);
// Those in the plan's lists, and those that lie in none.
Probe ProbeLists(const ScanPlan& plan);

}  // namespace recall
