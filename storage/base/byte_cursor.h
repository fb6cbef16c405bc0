#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace recall {

// Reads numbers and texts from untrusted bytes. What is missing reads as 0 or "", and from then on
// the cursor is broken.
class ByteCursor final {
 public:
  explicit ByteCursor(std::string_view bytes) : rest_(bytes) {}

  bool broken() const { return broken_; }
  bool at_end() const { return rest_.empty(); }
  size_t left() const { return rest_.size(); }
  // Nothing is left, and nothing was missing.
  bool finished() const { return !broken_ && rest_.empty(); }
  void Break() { broken_ = true; }

  uint8_t Byte() {
    const std::string_view byte = Text(1);
    return byte.empty() ? 0 : static_cast<uint8_t>(byte[0]);
  }

  // Little-endian, of at most 8 bytes.
  uint64_t Fixed(int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value |= uint64_t{Byte()} << (8 * i);
    return value;
  }

  // LEB128: seven bits a byte, the lowest first.
  uint64_t Number() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint64_t byte = Byte();
      if (shift == 63 && byte > 1) break;
      value |= (byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    broken_ = true;
    return 0;
  }

  std::string_view Text(uint64_t size) {
    if (size > rest_.size()) broken_ = true;
    if (broken_) return {};
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }

 private:
  std::string_view rest_;
  bool broken_ = false;
};

}  // namespace recall
