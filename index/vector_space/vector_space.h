#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/vector_space/coarse_quantizer.h"
#include "storage/base/result.h"

namespace recall {

// A vector as the store keeps it: rotated, then each component rounded to int8, the largest
// becoming +-127. Of the vector's length nothing is kept: the scale makes it one, so products of
// quantised vectors are cosines.
//   component_i ~ scale * values[i] * length of the vector
struct QuantizedVector {
  float scale = 0;  // 1 / length of values; 0 for the zero vector
  std::vector<int8_t> values;
  uint16_t list = kNoList;  // of the space, where it has lists
};

// The scale that belongs to values: 1 / their length, 0 when all are zero.
float UnitScale(std::span<const int8_t> values);

// A query, prepared once. Integer arithmetic only from here on, so every CPU gives the same
// scores.
struct VectorQuery {
  float scale = 0;              // 1 / length of values
  std::vector<int16_t> values;  // as many bits as dim leaves room for in an int32 sum
  std::vector<uint8_t> lookup;  // sign code scan: 16 entries per 4 dimensions
  // What the look-ups of a vector's sign code add up to, about, when its cosine is 0, and how much
  // more of a cosine of 1. See LeastSignCodeScore.
  float sign_code_at_zero = 0;
  float sign_code_per_cosine = 0;
  bool zero = true;                  // says nothing: matches nothing
  std::vector<uint16_t> lists = {};  // of the space, the likest first; none where it has none
};

// The rotated, quantised space that vectors of one embedder live in. The rotation is a
// fast Hadamard transform with seeded sign flips (structured random rotation, as in FALCONN and
// RaBitQ): it spreads every vector's length over all components, which makes sign bits and int8
// rounding faithful, and it preserves dot products.
// Thread-safe once it has its lists.
class VectorSpace final {
 public:
  static bool Supports(uint32_t dim) { return dim >= 8 && dim <= 4096; }
  // Requires: Supports(dim), or 0: the space of a store that has learnt nothing yet, whose vectors
  // have no components. Any dim is padded to a multiple of 64 internally.
  VectorSpace(uint32_t dim, uint64_t seed);

  uint32_t dim() const { return dim_; }
  uint32_t padded_dim() const { return padded_dim_; }
  uint64_t seed() const { return seed_; }
  // Identifies dimension, rotation and quantisation, not the lists; stored with each segment.
  uint64_t Fingerprint() const;

  // Null: the space is not divided.
  const CoarseQuantizer* coarse_quantizer() const { return coarse_quantizer_.get(); }
  // Divides it: vectors and questions made from now on know their lists. Not thread-safe.
  // Requires: lists of padded_dim() components.
  void UseCoarseQuantizer(std::shared_ptr<const CoarseQuantizer> lists);

  // A vector that is not finite, or too long for float arithmetic, counts as zero.
  // Requires: vector.size() == dim().
  QuantizedVector Quantize(std::span<const float> vector) const;
  // The same vector in its list of this space. Requires: padded_dim() components.
  QuantizedVector AssignList(QuantizedVector vector) const;
  VectorQuery PrepareQuery(std::span<const float> vector) const;

 private:
  // One step of the rotation flips signs, then transforms `block_` components from `offset` on:
  // all of them, or in turn the first and the last power of two when padded_dim is not one.
  struct Pass {
    uint32_t offset;
    std::vector<uint64_t> flips;  // one bit a component
  };
  std::vector<float> Rotate(std::span<const float> vector) const;

  uint32_t dim_;
  uint32_t padded_dim_;
  uint64_t seed_;
  uint32_t block_;  // the largest power of two <= padded_dim_
  std::vector<Pass> passes_;
  std::shared_ptr<const CoarseQuantizer> coarse_quantizer_;
};

// What the delta of the store keeps per chunk, and what segments are built from.
struct ChunkVector {
  uint32_t chunk = 0;
  uint32_t lexical_tokens = 0;
  uint32_t tokens = 0;
  QuantizedVector vector;
};

}  // namespace recall
