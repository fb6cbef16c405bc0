#include "index/source/extract/pdf/pdf_value.h"

#include <algorithm>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

constexpr int kMostDepth = 100;
constexpr size_t kMostParts = 1'000'000;
constexpr std::string_view kPdfSpace("\0\t\n\f\r ", 6);
constexpr std::string_view kDelimiters("\0\t\n\f\r ()<>[]{}/%", 16);

bool IsPdfDigit(char c) { return c >= '0' && c <= '9'; }

int HexDigit(char c) {
  if (IsPdfDigit(c)) return c - '0';
  const char lower = static_cast<char>(c | 32);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// The characters of PDFDocEncoding that differ from Latin-1: 0x18 to 0x1F, 0x80 to 0xA0.
constexpr uint16_t kAccents[] = {0x2D8, 0x2C7, 0x2C6, 0x2D9, 0x2DD, 0x2DB, 0x2DA, 0x2DC};
constexpr uint16_t kUpper[] = {
    0x2022, 0x2020, 0x2021, 0x2026, 0x2014, 0x2013, 0x192,  0x2044, 0x2039, 0x203A, 0x2212,
    0x2030, 0x201E, 0x201C, 0x201D, 0x2018, 0x2019, 0x201A, 0x2122, 0xFB01, 0xFB02, 0x141,
    0x152,  0x160,  0x178,  0x17D,  0x131,  0x142,  0x153,  0x161,  0x17E,  0xFFFD, 0x20AC};

uint32_t DocEncoded(uint8_t byte) {
  if (byte >= 0x18 && byte < 0x20) return kAccents[byte - 0x18];
  if (byte >= 0x80 && byte <= 0xA0) return kUpper[byte - 0x80];
  return byte;
}

// Appends a character of a text. A carriage return is a line end; *after_return remembers it.
void AppendCharacter(uint32_t code, bool* after_return, std::string* out) {
  const bool is_second = code == '\n' && *after_return;
  *after_return = code == '\r';
  if (is_second) return;
  if (code == '\r' || code == '\n' || code == 0x2028 || code == 0x2029) {
    *out += '\n';
  } else if (code < 0x20 || (code >= 0x7F && code < 0xA0)) {
    *out += ' ';
  } else if (code != 0xFEFF) {
    AppendUtf8(code, out);
  }
}

// Appends UTF-16. Language codes, between two escape characters, are left out.
void AppendUtf16(std::string_view bytes, bool big_endian, std::string* out) {
  const auto unit = [&](size_t at) {
    const auto first = static_cast<uint8_t>(bytes[at]),
               second = static_cast<uint8_t>(bytes[at + 1]);
    return static_cast<uint32_t>(big_endian ? first << 8 | second : second << 8 | first);
  };
  bool after_return = false, in_language = false;
  for (size_t at = 0; at + 1 < bytes.size(); at += 2) {
    uint32_t code = unit(at);
    if (code == 0x1B) in_language = !in_language;
    if (code == 0x1B || in_language) continue;
    if (code >= 0xD800 && code < 0xE000) {
      const uint32_t low = at + 3 < bytes.size() ? unit(at + 2) : 0;
      if (code < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        at += 2;
      } else {
        code = 0xFFFD;
      }
    }
    AppendCharacter(code, &after_return, out);
  }
}

}  // namespace

const PdfValue& PdfValue::At(std::string_view key) const {
  static const PdfValue kNothing;
  if (kind != Kind::kDictionary) return kNothing;
  for (size_t i = items.size(); i >= 2; i -= 2) {
    if (items[i - 2].text == key) return items[i - 1];
  }
  return kNothing;
}

void PdfParser::SkipSpace() {
  while (at_ < bytes_.size()) {
    at_ = std::min(bytes_.find_first_not_of(kPdfSpace, at_), bytes_.size());
    if (at_ == bytes_.size() || bytes_[at_] != '%') return;
    at_ = std::min(bytes_.find_first_of("\r\n", at_), bytes_.size());
  }
}

bool PdfParser::Take(std::string_view word) {
  if (bytes_.substr(std::min(at_, bytes_.size()), word.size()) != word) return false;
  at_ += word.size();
  return true;
}

bool PdfParser::TakeNumber(int64_t* number) {
  constexpr size_t kMostDigits = 10;
  size_t end = at_;
  *number = 0;
  for (; end < bytes_.size() && IsPdfDigit(bytes_[end]); ++end) {
    if (end - at_ == kMostDigits) return false;
    *number = *number * 10 + (bytes_[end] - '0');
  }
  if (end == at_) return false;
  at_ = end;
  return true;
}

PdfValue PdfParser::Value() {
  parts_ = 0;
  const size_t before = at_;
  PdfValue value = ValueAt(0);
  if (at_ == before && !at_end()) ++at_;
  return value;
}

PdfValue PdfParser::ValueAt(int depth) {
  SkipSpace();
  PdfValue value;
  if (at_end() || ++parts_ > kMostParts || depth > kMostDepth) {
    at_ = bytes_.size();
    return value;
  }
  const char first = bytes_[at_];
  if (IsPdfDigit(first) || first == '-' || first == '+' || first == '.') return NumberOrReference();
  if (first == '(') return Literal();
  if (Take("<<")) {
    value.kind = PdfValue::Kind::kDictionary;
    Items(">>", depth, &value);
  } else if (Take("[")) {
    value.kind = PdfValue::Kind::kArray;
    Items("]", depth, &value);
  } else if (Take("<")) {
    value.kind = PdfValue::Kind::kHex;
    const size_t end = std::min(bytes_.find('>', at_), bytes_.size());
    value.text = bytes_.substr(at_, end - at_);
    at_ = std::min(end + 1, bytes_.size());
  } else if (Take("/")) {
    value.kind = PdfValue::Kind::kName;
    const size_t end = std::min(bytes_.find_first_of(kDelimiters, at_), bytes_.size());
    value.text = bytes_.substr(at_, end - at_);
    at_ = end;
  } else {  // a keyword, or a bracket that closes nothing
    const size_t end = std::min(bytes_.find_first_of(kDelimiters, at_), bytes_.size());
    value.text = bytes_.substr(at_, end - at_);
    at_ = std::max(end, at_ + 1);
  }
  return value;
}

PdfValue PdfParser::NumberOrReference() {
  PdfValue value;
  value.kind = PdfValue::Kind::kNumber;
  const size_t start = at_;
  const bool negative = bytes_[at_] == '-';
  if (negative || bytes_[at_] == '+') ++at_;
  const size_t begin = at_;
  const bool is_whole = TakeNumber(&value.number);
  if (is_whole && begin > 0 && !negative) {
    const size_t after = at_;
    int64_t generation = 0;
    SkipSpace();
    if (at_ > after && TakeNumber(&generation)) {
      SkipSpace();
      const std::string_view next = bytes_.substr(std::min(at_ + 1, bytes_.size()), 1);
      if (Take("R") && (next.empty() || kDelimiters.find(next[0]) != kDelimiters.npos)) {
        value.kind = PdfValue::Kind::kReference;
        value.text = bytes_.substr(start, at_ - start);
        return value;
      }
    }
    at_ = after;
  }
  if (negative) value.number = -value.number;
  at_ = std::min(bytes_.find_first_not_of("0123456789.+-", at_), bytes_.size());
  value.text = bytes_.substr(start, at_ - start);
  return value;
}

PdfValue PdfParser::Literal() {
  PdfValue value;
  value.kind = PdfValue::Kind::kLiteral;
  const size_t begin = ++at_;
  for (int open = 1; at_ < bytes_.size(); ++at_) {
    const char c = bytes_[at_];
    if (c == '\\') {
      ++at_;
    } else if (c == '(') {
      ++open;
    } else if (c == ')' && --open == 0) {
      break;
    }
  }
  const size_t end = std::min(at_, bytes_.size());
  value.text = bytes_.substr(begin, end - begin);
  at_ = std::min(end + 1, bytes_.size());
  return value;
}

void PdfParser::Items(std::string_view end, int depth, PdfValue* value) {
  const bool is_dictionary = value->kind == PdfValue::Kind::kDictionary;
  for (;;) {
    SkipSpace();
    if (at_end() || Take(end)) break;
    // A container that was not closed ends with its object.
    if (bytes_.substr(at_, 6) == "endobj" || bytes_.substr(at_, 6) == "stream") break;
    const size_t before = at_;
    PdfValue item = ValueAt(depth + 1);
    if (at_ == before) ++at_;
    const bool key_next = is_dictionary && value->items.size() % 2 == 0;
    if (!key_next || item.kind == PdfValue::Kind::kName) value->items.push_back(std::move(item));
  }
  if (is_dictionary && value->items.size() % 2 != 0) value->items.pop_back();
}

std::string PdfStringBytes(const PdfValue& string) {
  std::string bytes;
  const std::string_view text = string.text;
  if (string.kind == PdfValue::Kind::kHex) {
    int digits = 0, value = 0;
    for (const char c : text) {
      const int digit = HexDigit(c);
      if (digit < 0) continue;
      value = value * 16 + digit;
      if (++digits % 2 != 0) continue;
      bytes += static_cast<char>(value);
      value = 0;
    }
    if (digits % 2 != 0) bytes += static_cast<char>(value * 16);
    return bytes;
  }
  constexpr std::string_view kEscapes = "nrtbf", kEscaped = "\n\r\t\b\f";
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      bytes += text[at];
      continue;
    }
    if (++at == text.size()) break;
    const char c = text[at];
    if (c >= '0' && c <= '7') {
      int value = 0;
      const size_t end = std::min(at + 3, text.size());
      for (; at < end && text[at] >= '0' && text[at] <= '7'; ++at)
        value = value * 8 + text[at] - '0';
      --at;
      bytes += static_cast<char>(value);
    } else if (c == '\r' || c == '\n') {  // the string goes on in the next line
      if (c == '\r' && at + 1 < text.size() && text[at + 1] == '\n') ++at;
    } else {
      const size_t known = kEscapes.find(c);
      bytes += known == kEscapes.npos ? c : kEscaped[known];
    }
  }
  return bytes;
}

std::string PdfTextOf(const PdfValue& string) {
  std::string out;
  if (!string.IsString()) return out;
  const std::string bytes = PdfStringBytes(string);
  const std::string_view view = bytes;
  bool after_return = false;
  if (view.starts_with("\xFE\xFF") || view.starts_with("\xFF\xFE")) {
    AppendUtf16(view.substr(2), view[0] == '\xFE', &out);
  } else if (view.starts_with("\xEF\xBB\xBF")) {
    for (size_t at = 3; at < view.size();)
      AppendCharacter(DecodeUtf8(view, &at), &after_return, &out);
  } else {
    for (const char c : view) {
      const auto byte = static_cast<uint8_t>(c);
      AppendCharacter(DocEncoded(byte), &after_return, &out);
    }
  }
  return out;
}

}  // namespace recall
