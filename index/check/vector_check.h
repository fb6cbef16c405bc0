#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <vector>

#include "index/check/chunk_facts.h"
#include "storage/check/check_run.h"
#include "storage/check/segment_scan.h"

namespace recall {

// Holds the vectors of segments and tail, their sign codes and token counts, against what chunks
// say they should be. Reads a page at a time.
class VectorCheck final {
 public:
  // The vectors of one space: these segments, and the delta's records of row `space_id` of table
  // space (0: all records). All must outlive it. `space` may be null: then only which chunks have
  // a vector is checked.
  VectorCheck(CheckRun* run, const VectorSpace* space, int64_t space_id,
              const std::vector<CheckedSegment>& segments);
  ~VectorCheck();

  // Finds the vectors there are. Call once, first.
  Status Open();
  // The next chunk rowid, ascending, and whether it must have a vector; `facts` is null when its
  // text cannot be trusted.
  Status Expect(uint32_t row, bool needed, const ChunkFacts* facts);
  // What is left belongs to no chunk; with `report_extra` false it is passed over.
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
  // Takes the vector in front, and its source to its next one.
  Status Pass();

  CheckRun* run_;
  const VectorSpace* space_;
  int64_t space_id_;
  const std::vector<CheckedSegment>& segments_;
  std::vector<std::unique_ptr<Source>> sources_;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next_;
  std::vector<Next> strays_;  // vectors of rows that no chunk has, as far as examples go
  int64_t stray_count_ = 0;
};

}  // namespace recall
