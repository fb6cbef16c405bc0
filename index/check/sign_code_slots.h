#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/vector_space/coarse_quantizer.h"
#include "storage/check/segment_scan.h"

namespace recall {

// Where a segment's signatures lie, and in which cells its vectors, as the check of a store sees
// it: whatever the sections say, nothing beyond the segment is looked at.
class SignaturePlaces final {
 public:
  // Reads the sections of cells, where the segment has them, and then all of its signatures, for
  // these lie in another order than the vectors.
  SignaturePlaces(const SegmentHeader& header, SegmentScan& scan);

  // What is wrong with the sections of cells: not every vector has just one place, or cells
  // overlap. "" when nothing is.
  const std::string& fault() const { return fault_; }

  // kNoCell where the segment does not say.
  uint16_t cell(uint32_t ordinal) const { return cells_.empty() ? kNoCell : cells_[ordinal]; }

  // Byte `byte` of the vector's signature; nothing when it cannot be read.
  std::optional<uint8_t> SignatureByte(SegmentScan& scan, uint32_t ordinal, size_t byte) const;

 private:
  void ReadCells(const SegmentHeader& header, SegmentScan& scan);

  std::vector<uint32_t> slots_;      // by ordinal; empty: the ordinal itself
  std::vector<uint16_t> cells_;      // by ordinal; empty: none
  std::vector<uint8_t> signatures_;  // of a segment with cells
  size_t block_bytes_ = 0;
  std::string fault_;
};

}  // namespace recall
