#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "index/check/chunk_facts.h"
#include "index/check/vector_check.h"
#include "storage/check/check_run.h"
#include "storage/check/segment_scan.h"

namespace recall {

// The vector spaces of a store: what the table says of them, and the vectors of each against the
// chunks. Those of the space in force are computed again; of the others, which only snapshots
// need, it is checked that they are whole.
class SpaceCheck final {
 public:
  // All must outlive it.
  SpaceCheck(CheckRun* run, const IndexRecipe& recipe, const std::vector<CheckedSegment>& segments)
      : run_(run), recipe_(recipe), segments_(segments) {}

  // Finds spaces and vectors. Call once, first.
  Status Open();
  // The next chunk rowid, ascending, and its document; `facts` is null when its text cannot be
  // trusted. `needed`: a commit that is kept sees the document.
  Status Expect(const CheckedDoc& doc, uint32_t row, bool needed, const ChunkFacts* facts);
  // What is left belongs to no chunk; with `report_extra` false it is passed over.
  Status Finish(bool report_extra);

 private:
  struct Space {
    std::unique_ptr<VectorSpace> vectors;  // null: not known
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
