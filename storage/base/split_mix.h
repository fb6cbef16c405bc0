#pragma once

#include <cstdint>

namespace recall {

// The SplitMix64 generator (Steele, Lea and Flood, 2014). A seed gives the same numbers on every
// machine.
class SplitMix64 final {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
  }

 private:
  uint64_t state_;
};

}  // namespace recall
