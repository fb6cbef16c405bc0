#include "index/subword/json_cursor.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "index/base/text/utf8.h"

namespace recall {

bool JsonCursor::ReadString(std::string_view* value, std::string* scratch) {
  if (!Take('"')) return false;
  const size_t begin = position_;
  size_t copied = begin;
  bool ascii = true;
  scratch->clear();
  for (; position_ < text_.size(); ++position_) {
    const char c = text_[position_];
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) ascii = false;
    if (c == '"') break;
    if (byte < ' ') return false;
    if (c != '\\') continue;
    scratch->append(text_.substr(copied, position_ - copied));
    ++position_;
    if (!ReadEscape(scratch)) return false;
    copied = position_ + 1;
  }
  if (position_ >= text_.size()) return false;
  if (copied == begin) {
    *value = text_.substr(begin, position_ - begin);
  } else {
    *value = scratch->append(text_.substr(copied, position_ - copied));
  }
  ++position_;
  return ascii || IsValidUtf8(*value);
}

// Leaves the position at the last character of the escape.
bool JsonCursor::ReadEscape(std::string* out) {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const char name = Now();
  if (name != 'u') {
    const size_t found = name == '\0' ? kNames.npos : kNames.find(name);
    if (found == kNames.npos) return false;
    out->push_back(kMeanings[found]);
    return true;
  }
  uint32_t c = 0;
  if (!ReadHex(&c) || (c >= 0xDC00 && c <= 0xDFFF)) return false;
  if (c >= 0xD800 && c <= 0xDBFF) {
    uint32_t low = 0;
    if (text_.substr(position_ + 1, 2) != "\\u") return false;
    position_ += 2;
    if (!ReadHex(&low) || low < 0xDC00 || low > 0xDFFF) return false;
    c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
  }
  AppendUtf8(c, out);
  return true;
}

// Reads the four digits after the position, which moves to the last of them.
bool JsonCursor::ReadHex(uint32_t* unit) {
  const std::string_view digits = text_.substr(position_ + 1, 4);
  if (digits.size() < 4) return false;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, *unit, 16);
  position_ += 4;
  return error == std::errc() && stop == end;
}

bool JsonCursor::SkipDigits() {
  const size_t begin = position_;
  while (IsDigit(Now())) ++position_;
  return position_ > begin;
}

bool JsonCursor::EndsNumber() const {
  const char c = Now();
  return !(IsDigit(c) || c == '.' || c == 'e' || c == 'E' || c == '-' || c == '+');
}

bool JsonCursor::ReadCount(uint32_t* value) {
  SkipSpace();
  const size_t begin = position_;
  const bool leading_zero = Now() == '0';
  uint64_t number = 0;
  for (; IsDigit(Now()) && position_ - begin < 10; ++position_) {
    number = 10 * number + static_cast<uint64_t>(Now() - '0');
  }
  *value = static_cast<uint32_t>(number);
  const size_t digits = position_ - begin;
  return digits > 0 && !(leading_zero && digits > 1) && EndsNumber() &&
         number <= std::numeric_limits<int32_t>::max();
}

bool JsonCursor::ReadDouble(double* value) {
  SkipSpace();
  const size_t begin = position_;
  if (Now() == '-') ++position_;
  const size_t digits = position_;
  if (!SkipDigits() || (text_[digits] == '0' && position_ > digits + 1)) return false;
  if (Now() == '.') {
    ++position_;
    if (!SkipDigits()) return false;
  }
  if (Now() == 'e' || Now() == 'E') {
    ++position_;
    if (Now() == '+' || Now() == '-') ++position_;
    if (!SkipDigits()) return false;
  }
  if (!EndsNumber()) return false;
  const char* end = text_.data() + position_;
  const auto [stop, error] = std::from_chars(text_.data() + begin, end, *value);
  if (error == std::errc()) return stop == end;
  // A number too small for a double is valid and becomes 0 or subnormal.
  *value = std::strtod(std::string(text_.substr(begin, position_ - begin)).c_str(), nullptr);
  return std::isfinite(*value);
}

bool JsonCursor::SkipString() {
  for (++position_; position_ < text_.size(); ++position_) {
    if (text_[position_] == '"') {
      ++position_;
      return true;
    }
    if (text_[position_] == '\\') ++position_;
  }
  position_ = text_.size();
  return false;
}

bool JsonCursor::SkipValue() {
  SkipSpace();
  const size_t begin = position_;
  size_t depth = 0;
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '"') {
      if (!SkipString()) return false;
      if (depth == 0) return true;
      continue;
    }
    const bool closes = c == '}' || c == ']';
    if (depth == 0 && (closes || c == ',' || IsSpace(c))) break;
    ++position_;
    if (c == '{' || c == '[') ++depth;
    if (closes && --depth == 0) return true;
  }
  return depth == 0 && position_ > begin;
}

}  // namespace recall
