#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "index/write/check/chunk_facts.h"
#include "index/write/check/vector_check.h"
#include "storage/check/check_run.h"
#include "storage/check/segment_scan.h"

namespace recall {

// Checks the vector spaces of a store: the rows of the table, and the vectors of each space against
// the chunks. The vectors of the active space are computed again. Of other spaces, which only
// snapshots need, only the completeness is checked.
class SpaceCheck final {
 public:
  // All arguments must outlive it.
  SpaceCheck(CheckRun* run, const IndexRecipe& recipe, const std::vector<CheckedSegment>& segments)
      : run_(run), recipe_(recipe), segments_(segments) {}

  // Reads the spaces and opens their vectors. Call it once, first.
  Status Open();
  // Checks the next chunk rowid, ascending, of this document; `facts` is null if its text is
  // damaged. `needed`: a kept commit sees the document.
  Status Expect(const CheckedDoc& doc, uint32_t row, bool needed, const ChunkFacts* facts);
  // Reports the remaining vectors, which belong to no chunk; with `report_extra` false they are
  // ignored.
  Status Finish(bool report_extra);

 private:
  struct Space {
    std::unique_ptr<VectorSpace> vectors;  // null: unknown
    std::vector<CheckedSegment> segments;
    std::unique_ptr<VectorCheck> check;
    int64_t since = 0;
    bool present = false;
  };
  Status CheckTable(const std::vector<SpaceRow>& rows);
  void CheckOwners(const std::vector<SpaceRow>& rows);
  Status AddSpace(const SpaceRow& row, bool present);
  void Report(const SpaceRow& row, std::string what);

  CheckRun* run_;
  const IndexRecipe& recipe_;
  const std::vector<CheckedSegment>& segments_;
  std::vector<Space> spaces_;
};

}  // namespace recall
