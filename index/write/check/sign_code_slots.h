#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/embed/vector_space/coarse_quantizer.h"
#include "storage/check/segment_scan.h"

namespace recall {

// The slots of a segment's sign codes and the IVF lists of its vectors, for the check of a store.
// Whatever the sections contain, nothing beyond the segment is read.
class SignCodePlaces final {
 public:
  // Reads the sections of the IVF lists, if the segment has them, and then all of its sign codes,
  // because they are in another order than the vectors.
  SignCodePlaces(const SegmentHeader& header, SegmentScan& scan);

  // The fault of the sections of the IVF lists, or "": a vector does not have exactly one slot, or
  // lists overlap.
  const std::string& fault() const { return fault_; }

  // The IVF list of a vector; kNoList if the segment does not have it.
  uint16_t list(uint32_t ordinal) const { return lists_.empty() ? kNoList : lists_[ordinal]; }

  // Byte `byte` of the vector's sign code; nothing if it cannot be read.
  std::optional<uint8_t> SignCodeByte(SegmentScan& scan, uint32_t ordinal, size_t byte) const;

 private:
  void ReadIvfLists(const SegmentHeader& header, SegmentScan& scan);

  std::vector<uint32_t> slots_;      // by ordinal; empty: the ordinal itself
  std::vector<uint16_t> lists_;      // by ordinal; empty: none
  std::vector<uint8_t> sign_codes_;  // of a segment with lists
  size_t block_bytes_ = 0;
  std::string fault_;
};

}  // namespace recall
