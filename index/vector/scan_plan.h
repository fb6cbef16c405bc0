#pragma once

// What one search looks at.

#include <cstdint>
#include <vector>

#include "index/vector/vector_index.h"
#include "index/vector/vector_scan.h"

namespace recall {

struct ScanPlan {
  std::vector<ScanSegment> segments;  // those with something selected
  std::vector<TailVector> tail;       // what passes the filter
  uint64_t selected = 0;              // vectors that pass the filter
  size_t depth = 0;                   // of the shortlist: scored in full in any case
  size_t most = 0;                    // and at most
  bool exact = false;                 // no shortlist, everything is scored in full
  // Whose vectors have their signatures looked at; empty: all there are.
  std::span<const uint16_t> cells;
};

// What is scored in full, and what is left out, depends on the question, the vectors that pass, the
// size of the store and the cells of its space: not on which segments hold them, or answers would
// change with a merge. `query` and `filter` must outlive it.
Result<ScanPlan> MakePlan(const ChunkColumns& columns, const VectorQuery& query,
                          const ChunkFilter& filter, const VectorSearchOptions& options);

// The vectors of a plan that one scan looks at.
struct Probe {
  std::vector<std::vector<uint32_t>> slots;  // of each segment, as ScanSlice::slots; empty: all
  std::vector<TailVector> tail;
  uint64_t vectors = 0;  // about as many as it looks at
};
Probe ProbeAll(const ScanPlan& plan);
// Those in the plan's cells, and those that lie in none.
Probe ProbeCells(const ScanPlan& plan);

}  // namespace recall
