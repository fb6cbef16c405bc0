#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace recall {

// Reads JSON (RFC 8259) sequentially and in place. A reader returns false if the text at the
// position has another type or is malformed; the position is then where it stopped. The text must
// outlive the cursor.
class JsonCursor final {
 public:
  explicit JsonCursor(std::string_view text) : text_(text) {}

  size_t position() const { return position_; }
  void set_position(size_t position) { position_ = position; }
  bool at_end() const { return position_ == text_.size(); }

  void SkipSpace() {
    while (position_ < text_.size() && IsSpace(text_[position_])) ++position_;
  }
  // Skips white space, then `c` if that is next.
  bool Take(char c) {
    SkipSpace();
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  // Skips white space and returns the next character without consuming it; 0 at the end.
  char Peek() {
    SkipSpace();
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  // Reads a string: *value is a part of the text, or of *scratch if it has escapes.
  bool ReadString(std::string_view* value, std::string* scratch);
  // Reads a number that consists of digits, below 2^31.
  bool ReadCount(uint32_t* value);
  // Reads any number as the nearest double. False for an infinite one.
  bool ReadDouble(double* value);
  // Skips any value. It accepts some malformed values, but it skips every valid value exactly.
  bool SkipValue();

 private:
  static bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }

  char Now() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  bool SkipString();
  bool SkipDigits();
  // Whether the character at the position cannot continue a number.
  bool EndsNumber() const;
  bool ReadEscape(std::string* out);
  bool ReadHex(uint32_t* unit);

  std::string_view text_;
  size_t position_ = 0;
};

}  // namespace recall
