#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "index/vector_space/coarse_quantizer.h"
#include "index/vector_space/vector_space.h"

namespace recall {

struct CoarseTraining {
  uint32_t lists = 1024;  // at most: no more than a fourth of the sample
  uint32_t iterations = 8;
  uint32_t threads = 1;  // they make no difference to what is learnt
};

// Learns lists from a sample of a space's vectors by spherical k-means (Dhillon and Modha, "Concept
// decompositions for large sparse text data using clustering", 2001), beginning with vectors at
// equal distances in the sample. They depend on the vectors and their order alone.
// Requires: vectors of `space`, which has components; one or more.
// Time: iterations x sample x lists x dim products. Errors: Cancelled.
Result<CoarseQuantizer> TrainCoarseQuantizer(std::span<const QuantizedVector> sample,
                                             const VectorSpace& space,
                                             const CoarseTraining& training,
                                             const std::atomic<bool>* cancel);

}  // namespace recall
