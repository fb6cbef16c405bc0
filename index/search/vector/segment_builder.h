#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/embed/vector_space/vector_space.h"
#include "storage/segment/segment_writer.h"

namespace recall {

// Collects vectors by ascending chunk rowid and lays out the sections of a segment. If every vector
// has an IVF list, sign codes are ordered by list.
class SegmentBuilder final {
 public:
  explicit SegmentBuilder(const VectorGeometry& space) : space_(&space) {}

  // Adds one vector; `values` are padded_dim components, which are copied. Requires: chunk is above
  // all chunks added before; size() < kMaxSegmentVectors.
  struct Row {
    uint32_t chunk;
    uint16_t lexical_tokens;
    uint16_t tokens;
    float scale;
    const int8_t* values;
    uint16_t list = kNoList;
  };
  void Add(const Row& row);
  uint32_t size() const { return static_cast<uint32_t>(chunks_.size()); }

  // Returns the segment and empties the builder. Requires: size() > 0.
  SegmentContent Finish();

 private:
  // The ordinal of the vector whose sign code is stored in each slot: by list, then by ordinal.
  std::vector<uint16_t> MakeSlots() const;
  std::vector<uint8_t> MakeSignCodes(std::span<const uint16_t> slots) const;
  void AddIvfLists(std::span<const uint16_t> slots, SegmentContent* content) const;

  const VectorGeometry* space_;
  std::vector<uint32_t> chunks_;
  std::vector<uint8_t> vectors_;
  std::vector<uint8_t> scales_;
  std::vector<uint8_t> checksums_;
  std::vector<uint8_t> counts_;
  std::vector<uint16_t> lists_;
};

}  // namespace recall
