#pragma once

#include <cstdint>
#include <functional>

namespace recall {

enum class CatchUpStage : uint8_t {
  kLearning,  // of all texts
  kVectors,   // of all chunks, with what was learnt
  kWords,     // postings of common words are made ready
};

// How far it is: so many of `total` vectors or words; 0 of 0 while nobody knows.
struct CatchUpProgress {
  CatchUpStage stage = CatchUpStage::kLearning;
  int64_t done = 0;
  int64_t total = 0;
};

// Called from the calling thread, after each step of some tenths of a second.
using CatchUpProgressFn = std::function<void(const CatchUpProgress&)>;

}  // namespace recall
