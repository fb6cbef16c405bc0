#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace recall {

// A segment (NextSegment) of ASCII characters only, the usual case. It can be divided by bytes,
// because each of its parts is one word.
class AsciiSegment final {
 public:
  // Scans from the byte at `at` < text.size() to the first byte that is a separator or not ASCII.
  AsciiSegment(std::string_view text, size_t at) : end_(at + 1), first_(ClassOf(text[at])) {
    unsigned last = first_;
    while (last != kSeparator && last != kNoAscii && end_ < text.size()) {
      last = ClassOf(text[end_]);
      others_ |= last;
      end_ += last != kSeparator;
    }
  }

  // Whether the byte at `at` is a separator.
  bool IsSeparator() const { return first_ == kSeparator; }
  // Whether the segment is ASCII, and is `at` .. end() - 1. If not, NextSegment must find its end.
  bool IsAscii() const { return (first_ | others_) < kNoAscii; }
  size_t end() const { return end_; }
  // Whether the segment is one part: it has no underscore, and no capital but the first letter.
  bool IsOneWord() const { return first_ != kUnderscore && others_ <= kLowerOrDigit; }

 private:
  // The class of a byte. The classes of several bytes are combined by OR.
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
  unsigned others_ = 0;  // classes of the bytes after the first
};

// The lower case of an ASCII letter or digit.
inline char ToAsciiLower(char letter_or_digit) {
  constexpr int kLowerBit = 0x20;  // digits have this bit, too
  return static_cast<char>(letter_or_digit | kLowerBit);
}

}  // namespace recall
