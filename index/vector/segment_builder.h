#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/vector_space/vector_space.h"
#include "storage/segment/segment_writer.h"

namespace recall {

// Gathers vectors by ascending chunk rowid and lays out the sections of a segment: by list, when
// each vector has one.
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
    uint16_t list = kNoList;
  };
  void Add(const Row& row);
  uint32_t size() const { return static_cast<uint32_t>(chunks_.size()); }

  // The segment; the builder is empty afterwards. Requires: size() > 0.
  SegmentContent Finish();

 private:
  // Which vector's sign code lies at each place: by list, then in their order.
  std::vector<uint16_t> MakeSlots() const;
  std::vector<uint8_t> MakeSignCodes(std::span<const uint16_t> slots) const;
  void AddCoarseQuantizer(std::span<const uint16_t> slots, SegmentContent* content) const;

  const VectorSpace* space_;
  std::vector<uint32_t> chunks_;
  std::vector<uint8_t> vectors_;
  std::vector<uint8_t> scales_;
  std::vector<uint8_t> counts_;
  std::vector<uint16_t> coarse_quantizer_;
};

}  // namespace recall
