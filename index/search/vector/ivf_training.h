#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "index/embed/vector_space/coarse_quantizer.h"
#include "index/embed/vector_space/vector_space.h"

namespace recall {

struct KMeansOptions {
  uint32_t lists = 1024;  // at most; never more than a fourth of the sample
  uint32_t iterations = 8;
  uint32_t threads = 1;  // the result is the same for every number of threads
};

// Trains the centroids of the IVF lists on a sample of a space's vectors by spherical k-means
// (Dhillon and Modha, "Concept decompositions for large sparse text data using clustering", 2001).
// The initial centroids are vectors at equal distances in the sample. The result depends only on
// the vectors and their order. Requires: one or more vectors of `space`, which has components.
// Time: iterations x sample x lists x dim products. Errors: Cancelled.
Result<CoarseQuantizer> TrainCoarseQuantizer(std::span<const QuantizedVector> sample,
                                             const VectorGeometry& space,
                                             const KMeansOptions& options,
                                             const std::atomic<bool>* cancel);

}  // namespace recall
