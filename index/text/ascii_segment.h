#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace recall {

// A segment (NextSegment) of nothing but ASCII, as most are: to be taken apart by bytes, where its
// parts are one word each.
class AsciiSegment final {
 public:
  // Looks from the byte at `at` < text.size() on, up to one that belongs to no segment, or is no
  // ASCII.
  AsciiSegment(std::string_view text, size_t at) : end_(at + 1), first_(ClassOf(text[at])) {
    unsigned last = first_;
    while (last != kSeparator && last != kNoAscii && end_ < text.size()) {
      last = ClassOf(text[end_]);
      others_ |= last;
      end_ += last != kSeparator;
    }
  }

  // The byte at `at` belongs to no segment.
  bool IsSeparator() const { return first_ == kSeparator; }
  // False: NextSegment has to find out what is here. Otherwise it would find `at` .. end() - 1.
  bool IsAscii() const { return (first_ | others_) < kNoAscii; }
  size_t end() const { return end_; }
  // It has no underscore and no capital but in front: one part.
  bool IsOneWord() const { return first_ != kUnderscore && others_ <= kLowerOrDigit; }

 private:
  // What a byte is to a word. Of several bytes: the bits of all.
  enum ByteClass : uint8_t {
    kSeparator = 0,
    kLowerOrDigit = 1,
    kUpper = 2,
    kUnderscore = 4,
    kNoAscii = 8,
  };
  static constexpr std::array<uint8_t, 256> kClasses = [] {
    std::array<uint8_t, 256> classes{};
    for (size_t byte = 0; byte < classes.size(); ++byte) {
      if ((byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9')) {
        classes[byte] = kLowerOrDigit;
      }
      if (byte >= 'A' && byte <= 'Z') classes[byte] = kUpper;
      if (byte == '_') classes[byte] = kUnderscore;
      if (byte >= 0x80) classes[byte] = kNoAscii;
    }
    return classes;
  }();
  static unsigned ClassOf(char byte) { return kClasses[static_cast<uint8_t>(byte)]; }

  size_t end_;
  unsigned first_;
  unsigned others_ = 0;  // of the bytes behind the first
};

// Lower case, of an ASCII letter or digit.
inline char ToAsciiLower(char letter_or_digit) {
  constexpr int kLowerBit = 0x20;  // which digits have, too
  return static_cast<char>(letter_or_digit | kLowerBit);
}

}  // namespace recall
