#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "storage/base/coding.h"
#include "storage/base/swar.h"

namespace recall {

// Eight bytes of a text, all ASCII as in most texts, examined together in one 64-bit word
// (storage/base/swar.h describes sets of bytes).
class AsciiEight final {
 public:
  static constexpr size_t kBytes = sizeof(uint64_t);

  // Returns: false if fewer than eight bytes remain from `at` on, or one of them is not ASCII.
  bool Load(std::string_view text, size_t at) {
    if (text.size() < kBytes || at > text.size() - kBytes) return false;
    bytes_ = LoadLittle<uint64_t>(reinterpret_cast<const uint8_t*>(text.data()) + at);
    return (bytes_ & kEachHighBit) == 0;
  }

  uint64_t WhiteSpace() const {
    const uint64_t other_than_blank = (bytes_ ^ kEachByte * ' ') + kEachByte * 0x7f;
    const uint64_t tab_or_above = bytes_ + kEachByte * (0x80 - '\t');
    const uint64_t above_return = bytes_ + kEachByte * (0x80 - '\r' - 1);
    return (~other_than_blank | (tab_or_above & ~above_return)) & kEachHighBit;
  }

  // The white-space tokens that begin in the eight bytes.
  struct Tokens {
    uint64_t starts = 0;
    bool inside = false;  // whether the last byte belongs to one
  };
  // `inside`: the byte before the first belongs to a token.
  Tokens FindTokens(bool inside) const {
    const uint64_t words = kEachHighBit & ~WhiteSpace();
    return {words & ~(words << 8 | (inside ? 0x80 : 0)), words >> 63 != 0};
  }

  // The number of bytes of a set. std::popcount would call a function where the compiler may not
  // assume the instruction.
  static size_t Count(uint64_t set) { return (set >> 7) * kEachByte >> 56; }
  static size_t FirstOf(uint64_t set) { return static_cast<size_t>(std::countr_zero(set)) / 8; }
  static size_t LastOf(uint64_t set) {
    return kBytes - 1 - static_cast<size_t>(std::countl_zero(set)) / 8;
  }

 private:
  uint64_t bytes_ = 0;
};

}  // namespace recall
