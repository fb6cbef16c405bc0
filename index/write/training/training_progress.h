#pragma once

#include <cstdint>
#include <functional>

namespace recall {

enum class DerivedDataStage : uint8_t {
  kTraining,    // training on a sample of the texts
  kVectors,     // embedding all chunks with the new model
  kWords,       // precomputing posting lists of common terms
  kChunkWords,  // making records of the forward index
};

// The progress of a stage: `done` of `total` vectors, words or chunks; 0 of 0 while the total is
// unknown.
struct DerivedDataProgress {
  DerivedDataStage stage = DerivedDataStage::kTraining;
  int64_t done = 0;
  int64_t total = 0;
};

// Called by the calling thread, after each step of some tenths of a second.
using DerivedDataProgressFn = std::function<void(const DerivedDataProgress&)>;

}  // namespace recall
