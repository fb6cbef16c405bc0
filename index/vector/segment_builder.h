#pragma once

#include <cstdint>

#include "index/vector/vector_space.h"
#include "storage/segment/segment_writer.h"

namespace recall {

// Gathers vectors by ascending chunk row and lays out the sections of a segment.
class SegmentBuilder final {
 public:
  explicit SegmentBuilder(const VectorSpace& space) : space_(&space) {}

  // One vector; `values` are padded_dim components, copied. Requires: chunk above all before,
  // size() < kMaxSegmentVectors.
  struct Row {
    uint32_t chunk;
    uint16_t lexical_tokens;
    uint16_t tokens;
    float scale;
    const int8_t* values;
  };
  void Add(const Row& row);
  uint32_t size() const { return static_cast<uint32_t>(chunks_.size()); }

  // The segment; the builder is empty afterwards. Requires: size() > 0.
  SegmentContent Finish();

 private:
  std::vector<uint8_t> MakeSignatures() const;

  const VectorSpace* space_;
  std::vector<uint32_t> chunks_;
  std::vector<uint8_t> vectors_;
  std::vector<uint8_t> scales_;
  std::vector<uint8_t> counts_;
};

}  // namespace recall
