#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "storage/base/coding.h"
#include "storage/base/swar.h"

namespace recall {

// A segment (NextSegment) of ASCII characters, or the separators before the next segment, found
// eight bytes at a time. known() is false near the end of the text and if a non-ASCII byte follows;
// the caller then uses AsciiSegment or NextSegment.
class AsciiRun final {
 public:
  // Scans from the byte at `at` on.
  AsciiRun(std::string_view text, size_t at) {
    while (text.size() >= at + size_ + kBytes) {
      const uint64_t bytes =
          LoadLittle<uint64_t>(reinterpret_cast<const uint8_t*>(text.data()) + at + size_);
      const uint64_t inside = BytesOfSegments(bytes);
      if (size_ == 0) in_segment_ = (inside & kFirstHighBit) != 0;
      const uint64_t others = (in_segment_ ? ~inside : inside | bytes) & kEachHighBit;
      if (others == 0) {
        size_ += kBytes;
        continue;
      }
      const auto run = static_cast<size_t>(std::countr_zero(others)) / 8;
      // Separators end at a non-ASCII byte. A segment may continue with it, so its end is unknown.
      known_ = in_segment_ ? (bytes >> 8 * run & kFirstHighBit) == 0 : size_ + run > 0;
      size_ += run;
      return;
    }
    // The text ends within eight bytes. Separators need no end: the next run begins after these.
    known_ = !in_segment_ && size_ > 0;
  }

  // Whether the members below are right.
  bool known() const { return known_; }
  bool InSegment() const { return in_segment_; }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kBytes = sizeof(uint64_t);
  static constexpr uint64_t kFirstHighBit = 0x80;

  // The bytes of the range that are ASCII. Requires: the high bits of `bytes` are 0.
  static uint64_t InRange(uint64_t bytes, uint8_t first, uint8_t last) {
    return (bytes + kEachByte * (0x80u - first)) & ~(bytes + kEachByte * (0x7fu - last));
  }
  // The bytes that are ASCII letters, digits or underscores, marked by their high bits.
  static uint64_t BytesOfSegments(uint64_t bytes) {
    const uint64_t low = bytes & ~kEachHighBit;
    const uint64_t members =
        InRange(low | kEachByte * 0x20, 'a', 'z') | InRange(low, '0', '9') | InRange(low, '_', '_');
    return members & ~bytes & kEachHighBit;
  }

  size_t size_ = 0;
  bool in_segment_ = false;
  bool known_ = false;
};

}  // namespace recall
