#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/vector_space/coarse_quantizer.h"
#include "storage/check/segment_scan.h"

namespace recall {

// Where a segment's sign codes lie, and in which lists its vectors, as the check of a store sees
// it: whatever the sections say, nothing beyond the segment is looked at.
class SignCodePlaces final {
 public:
  // Reads the sections of lists, where the segment has them, and then all of its sign codes, for
  // these lie in another order than the vectors.
  SignCodePlaces(const SegmentHeader& header, SegmentScan& scan);

  // What is wrong with the sections of lists: not every vector has just one place, or lists
  // overlap. "" when nothing is.
  const std::string& fault() const { return fault_; }

  // kNoList where the segment does not say.
  uint16_t list(uint32_t ordinal) const {
    return coarse_quantizer_.empty() ? kNoList : coarse_quantizer_[ordinal];
  }

  // Byte `byte` of the vector's sign code; nothing when it cannot be read.
  std::optional<uint8_t> SignCodeByte(SegmentScan& scan, uint32_t ordinal, size_t byte) const;

 private:
  void ReadCoarseQuantizer(const SegmentHeader& header, SegmentScan& scan);

  std::vector<uint32_t> slots_;             // by ordinal; empty: the ordinal itself
  std::vector<uint16_t> coarse_quantizer_;  // by ordinal; empty: none
  std::vector<uint8_t> sign_codes_;         // of a segment with lists
  size_t block_bytes_ = 0;
  std::string fault_;
};

}  // namespace recall
