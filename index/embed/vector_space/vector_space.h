#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/embed/vector_space/coarse_quantizer.h"
#include "storage/base/result.h"

namespace recall {

// A quantised vector, as the store contains it: rotated, then each component rounded to int8, the
// largest becoming +-127. The length of the vector is not stored: the scale normalises it to one,
// so products of quantised vectors are cosines.
//   component_i ~ scale * values[i] * length of the vector
struct QuantizedVector {
  float scale = 0;  // 1 / length of values; 0 for the zero vector
  std::vector<int8_t> values;
  uint16_t list = kNoList;  // in a space with IVF lists
};

// The scale of `values`: 1 / their length, 0 if all are zero.
float UnitScale(std::span<const int8_t> values);

// A prepared query. Scores are computed from its integers, so they are the same on every CPU.
struct VectorQuery {
  float scale = 0;              // 1 / length of values
  std::vector<int16_t> values;  // as many bits as an int32 sum of dim products allows
  std::vector<uint8_t> lookup;  // sign code scan: 16 entries per 4 dimensions
  // The approximate sum of the look-ups of a vector's sign code if its cosine is 0, and the
  // increase for a cosine of 1. See LeastSignCodeScore.
  float sign_code_at_zero = 0;
  float sign_code_per_cosine = 0;
  bool zero = true;  // a zero vector: it matches nothing
  // IVF lists, most promising first, and their reaches (CoarseQuantizer::Ranking); empty without.
  std::vector<uint16_t> lists = {};
  std::vector<float> list_reaches = {};
  std::shared_ptr<const CoarseQuantizer> coarse_quantizer = nullptr;  // that ranked the lists
};

// What the stored vectors of a space have in common, with or without IVF lists: dimension, rotation
// and quantisation. It suffices to read vectors and segments; only a VectorSpace makes vectors and
// queries. The rotation is a fast Hadamard transform with seeded sign flips (structured random
// rotation, as in FALCONN and RaBitQ). It distributes the length of every vector over all
// components, which makes sign bits and int8 rounding accurate, and it preserves dot products.
// Immutable; thread-safe.
class VectorGeometry {
 public:
  static bool Supports(uint32_t dim) { return dim >= 8 && dim <= 4096; }
  // Requires: Supports(dim), or dim 0: the space of a store that has not been trained yet, whose
  // vectors have no components. The dimension is padded to a multiple of 64.
  VectorGeometry(uint32_t dim, uint64_t seed);

  uint32_t dim() const { return dim_; }
  uint32_t padded_dim() const { return padded_dim_; }
  uint64_t seed() const { return seed_; }
  // Identifies dimension, rotation and quantisation, but not the IVF lists; stored with each
  // segment.
  uint64_t Fingerprint() const;

 protected:
  // Requires: vector.size() == dim(). Returns: padded_dim() components.
  std::vector<float> Rotate(std::span<const float> vector) const;

 private:
  // One step of the rotation flips signs, then transforms `block_` components from `offset` on. If
  // padded_dim is a power of two, these are all components; otherwise steps alternate between the
  // first and the last `block_` of them.
  struct Pass {
    uint32_t offset;
    std::vector<uint64_t> flips;  // one bit for each component
  };

  uint32_t dim_;
  uint32_t padded_dim_;
  uint64_t seed_;
  uint32_t block_;  // the largest power of two <= padded_dim_
  std::vector<Pass> passes_;
};

// The rotated, quantised space of the vectors of one embedder, with its IVF lists if it has any.
// Vectors and queries are made by a space that has its lists from the beginning, so they cannot
// differ by what the process did before. Immutable; thread-safe.
class VectorSpace final : public VectorGeometry {
 public:
  // A space without IVF lists.
  VectorSpace(uint32_t dim, uint64_t seed) : VectorGeometry(dim, seed) {}
  // `lists`: centroids of padded_dim() components; null: the space has no IVF lists.
  VectorSpace(VectorGeometry geometry, std::shared_ptr<const CoarseQuantizer> lists);

  // The centroids of the IVF lists; null if the space has none.
  const CoarseQuantizer* coarse_quantizer() const { return coarse_quantizer_.get(); }

  // A vector that is not finite, or too long for float arithmetic, becomes the zero vector.
  // Requires: vector.size() == dim().
  QuantizedVector Quantize(std::span<const float> vector) const;
  // The same vector with its IVF list in this space. Requires: padded_dim() components.
  QuantizedVector AssignList(QuantizedVector vector) const;
  VectorQuery PrepareQuery(std::span<const float> vector) const;

 private:
  std::shared_ptr<const CoarseQuantizer> coarse_quantizer_;
};

// The delta's data of a chunk, from which segments are built.
struct ChunkVector {
  uint32_t chunk = 0;
  uint32_t lexical_tokens = 0;
  uint32_t tokens = 0;
  QuantizedVector vector;
};

}  // namespace recall
