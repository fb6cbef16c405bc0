#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace recall {

// Reads JSON (RFC 8259) from front to back where it stands. Each reader returns false, and leaves
// the place where it stopped, at what is not what it reads. The text must outlive the cursor.
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
  // What comes behind white space, without taking it; 0 at the end.
  char Peek() {
    SkipSpace();
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  // A string: *value is a part of the text, or *scratch if it has escapes.
  bool ReadString(std::string_view* value, std::string* scratch);
  // A number of digits alone, below 2^31.
  bool ReadCount(uint32_t* value);
  // Any number; the double nearest to it. False for one that is infinite.
  bool ReadDouble(double* value);
  // Any value. Takes some texts for one that are no JSON, but every value for what it is.
  bool SkipValue();

 private:
  static bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }

  char Now() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  bool SkipString();
  bool SkipDigits();
  // Behind a number no more of it may come.
  bool EndsNumber() const;
  bool ReadEscape(std::string* out);
  bool ReadHex(uint32_t* unit);

  std::string_view text_;
  size_t position_ = 0;
};

}  // namespace recall
