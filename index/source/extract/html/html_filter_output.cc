#include "index/source/extract/html/html_filter_output.h"

#include <algorithm>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/source/extract/html/html_filter_tag.h"

namespace recall {

void HtmlFilterOutput::Attribute(std::string_view name, std::string_view value) {
  Raw(" ");
  Raw(name);
  Raw("=\"");
  size_t run = 0;
  for (size_t i = value.find('"'); i != value.npos; i = value.find('"', i + 1)) {
    Raw(value.substr(run, i - run));
    Raw("&quot;");
    run = i + 1;
  }
  Raw(value.substr(run));
  Raw("\"");
}

void HtmlFilterOutput::Text(std::string_view text) {
  size_t position = 0;
  while (position < text.size()) {
    const size_t reference = std::min(text.find('&', position), text.size());
    Piece(text.substr(position, reference - position));
    if (reference == text.size()) break;
    position = Reference(text, reference);
  }
}

void HtmlFilterOutput::Piece(std::string_view piece) {
  constexpr size_t kShortPiece = 12;
  if (piece.empty()) return;
  const bool is_plain = piece.find('<') == piece.npos;
  if (is_plain && (piece.size() <= kShortPiece || in_title_)) {
    Raw(piece);
    return;
  }
  if (piece.find_first_not_of(" \t\r\n\f") == piece.npos) {
    if (!in_pre_) {
      Raw("\n");
      return;
    }
    if (piece.size() < 64) {
      Raw(piece);
      return;
    }
  }
  Mark(piece);
}

void HtmlFilterOutput::Mark(std::string_view piece) {
  size_t index = result_.texts.size();
  result_.texts.push_back(piece);
  char mark[kHtmlMarkDigits];
  for (size_t i = 0; i < kHtmlMarkDigits; ++i) {
    mark[i] = static_cast<char>(kHtmlMarkZero + (index & 63));
    index >>= 6;
  }
  Raw(kHtmlMark);
  Raw(std::string_view(mark, sizeof(mark)));
}

// Writes the character reference at `start`. Numbers are decoded here, because `&#xF8F3;` would
// make a mark. Returns the position after it.
size_t HtmlFilterOutput::Reference(std::string_view text, size_t start) {
  if (start + 1 >= text.size() || text[start + 1] != '#') return Name(text, start);
  size_t i = start + 2;
  const bool is_hex = i < text.size() && FilterLower(text[i]) == 'x';
  if (is_hex) ++i;
  const size_t digits = i;
  uint32_t value = 0;
  for (; i < text.size(); ++i) {
    const char c = FilterLower(text[i]);
    uint32_t digit;
    if (c >= '0' && c <= '9') {
      digit = static_cast<uint32_t>(c - '0');
    } else if (is_hex && c >= 'a' && c <= 'f') {
      digit = static_cast<uint32_t>(c - 'a' + 10);
    } else {
      break;
    }
    value = std::min<uint32_t>(value * (is_hex ? 16 : 10) + digit, 0x110000);
  }
  if (i == digits) {
    Raw("&amp;");
    return start + 1;
  }
  if (i < text.size() && text[i] == ';') ++i;
  Number(value);
  return i;
}

// Writes the name of a reference with its "&", because gumbo must see it whole. The longest name of
// the standard has 32 bytes.
size_t HtmlFilterOutput::Name(std::string_view text, size_t start) {
  constexpr size_t kMaxName = 40;
  size_t i = start + 1;
  const auto is_name_byte = [](char c) { return IsFilterLetter(c) || (c >= '0' && c <= '9'); };
  while (i < text.size() && i - start < kMaxName && is_name_byte(text[i])) ++i;
  if (i < text.size() && text[i] == ';') ++i;
  Raw(text.substr(start, i - start));
  return i;
}

// Writes the character with a number. Of the 32 numbers from 0x80 on, which are controls, the
// characters of windows-1252 are meant (HTML standard, numeric character reference end state).
void HtmlFilterOutput::Number(uint32_t value) {
  constexpr uint16_t kWindows[32] = {
      0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
      0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
      0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
  if (value >= 0x80 && value < 0xA0) value = kWindows[value - 0x80];
  if (value == '<') return Raw("&lt;");
  if (value == '&') return Raw("&amp;");
  if (value < 0x20 && value != '\n' && value != '\t') value = ' ';
  if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) value = 0xFFFD;
  if (value == 0xF8F3) value = ' ';  // kHtmlMark
  AppendUtf8(value, &result_.html);
}

void HtmlFilterOutput::Literal(std::string_view text) {
  size_t position = 0;
  while (position < text.size()) {
    const size_t special = std::min(text.find('&', position), text.size());
    Piece(text.substr(position, special - position));
    if (special < text.size()) Raw("&amp;");
    position = special + 1;
  }
}

void HtmlFilterOutput::Title(std::string_view text) {
  in_title_ = true;
  size_t position = 0;
  while (position < text.size()) {
    const size_t special = std::min(text.find('<', position), text.size());
    Text(text.substr(position, special - position));
    if (special < text.size()) Raw("&lt;");
    position = special + 1;
  }
  in_title_ = false;
}

}  // namespace recall
