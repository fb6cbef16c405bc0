#pragma once

#include <cstdint>
#include <string_view>

namespace recall {

// A 64-bit hash of values in order. Equal rows have equal hashes; different rows almost certainly
// have different ones. Sums of such hashes compare sets of rows in any order. Used in memory only.
class RowHash final {
 public:
  explicit RowHash(uint64_t seed = 0) : state_(seed ^ 0x9e3779b97f4a7c15) {}

  void Add(uint64_t value) { state_ = Mix(state_ ^ Mix(value + 0x632be59bd9b4e019)); }

  void Add(std::string_view text) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    Add(hash ^ uint64_t{text.size()} << 48);
  }

  uint64_t value() const { return state_; }

 private:
  static uint64_t Mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  uint64_t state_;
};

}  // namespace recall
