#pragma once

#include <cstdint>
#include <functional>

namespace recall {

enum class DerivedDataStage : uint8_t {
  kTraining,  // of all texts
  kVectors,   // of all chunks, with what was learnt
  kWords,     // postings of common words are made ready
};

// How far it is: so many of `total` vectors or words; 0 of 0 while nobody knows.
struct DerivedDataProgress {
  DerivedDataStage stage = DerivedDataStage::kTraining;
  int64_t done = 0;
  int64_t total = 0;
};

// Called from the calling thread, after each step of some tenths of a second.
using DerivedDataProgressFn = std::function<void(const DerivedDataProgress&)>;

}  // namespace recall
