#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <vector>

#include "index/write/check/chunk_facts.h"
#include "storage/check/check_run.h"
#include "storage/check/segment_scan.h"

namespace recall {

// Compares the vectors of segments and delta, their sign codes and token counts, with those
// computed from the chunks. Reads one page at a time.
class VectorCheck final {
 public:
  // Checks the vectors of one space: these segments, and the delta records of row `space_id` of
  // table space (0: all records). All arguments must outlive it. `space` may be null; then only the
  // existence of vectors is checked.
  VectorCheck(CheckRun* run, const VectorSpace* space, int64_t space_id,
              const std::vector<CheckedSegment>& segments);
  ~VectorCheck();

  // Opens segments and delta. Call it once, first.
  Status Open();
  // Checks the next chunk rowid, ascending. `needed`: it must have a vector. `facts` is null if its
  // text is damaged.
  Status Expect(uint32_t row, bool needed, const ChunkFacts* facts);
  // Reports the remaining vectors, which belong to no chunk; with `report_extra` false they are
  // ignored.
  Status Finish(bool report_extra);

 private:
  class Source;
  class SegmentSource;
  class DeltaSource;
  struct Next {
    int64_t row;
    size_t source;
    bool operator>(const Next& other) const {
      return row != other.row ? row > other.row : source > other.source;
    }
  };
  void Add(std::unique_ptr<Source> source);
  // Removes the first vector and advances its source.
  Status Pass();

  CheckRun* run_;
  const VectorSpace* space_;
  int64_t space_id_;
  const std::vector<CheckedSegment>& segments_;
  std::vector<std::unique_ptr<Source>> sources_;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next_;
  std::vector<Next> strays_;  // vectors of rowids without a chunk, as many as examples are shown
  int64_t stray_count_ = 0;
};

}  // namespace recall
