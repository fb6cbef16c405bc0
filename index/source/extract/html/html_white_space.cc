#include "index/source/extract/html/html_white_space.h"

#include <array>
#include <cstdint>

namespace recall {
namespace {

// The bytes at which text may not be copied as it is: white space, controls, and the first bytes of
// characters that may be blanks or have no width.
constexpr std::array<bool, 256> SpecialBytes() {
  std::array<bool, 256> special = {};
  for (size_t c = 0; c <= 0x20; ++c) special[c] = true;
  special[0x7F] = special[0xC2] = special[0xE2] = special[0xEF] = true;
  return special;
}
constexpr std::array<bool, 256> kSpecialBytes = SpecialBytes();

// Returns the length of the character at `i` if it has no width, else 0.
size_t WidthlessLength(std::string_view text, size_t i) {
  const std::string_view rest = text.substr(i, 3);
  if (rest.starts_with("\xC2\xAD")) return 2;  // soft hyphen
  if (rest == "\xE2\x80\x8B" || rest == "\xE2\x81\xA0" || rest == "\xEF\xBB\xBF") return 3;
  return 0;
}

// Returns the length of the character at `i` if it is white space or a control, else 0.
size_t BlankLength(std::string_view text, size_t i) {
  const auto c = static_cast<uint8_t>(text[i]);
  if (c <= 0x20 || c == 0x7F) return 1;
  const std::string_view rest = text.substr(i, 3);
  if (rest.starts_with("\xC2\xA0") || rest.starts_with("\xC2\x85")) return 2;
  if (rest.size() == 3 && rest.starts_with("\xE2\x80")) {
    const auto last = static_cast<uint8_t>(rest[2]);
    if ((last >= 0x80 && last <= 0x8A) || last == 0xA8 || last == 0xA9 || last == 0xAF) return 3;
  }
  return 0;
}

}  // namespace

void AppendCollapsedHtml(std::string_view text, bool* pending_space, std::string* line) {
  size_t i = 0;
  while (i < text.size()) {
    size_t run = i;
    while (i < text.size() && !kSpecialBytes[static_cast<uint8_t>(text[i])]) ++i;
    if (i > run) {
      if (*pending_space && !line->empty()) *line += ' ';
      *pending_space = false;
      line->append(text, run, i - run);
    }
    if (i == text.size()) break;
    if (const size_t none = WidthlessLength(text, i)) {
      i += none;
    } else if (const size_t blank = BlankLength(text, i)) {
      *pending_space = true;
      i += blank;
    } else {
      if (*pending_space && !line->empty()) *line += ' ';
      *pending_space = false;
      *line += text[i++];
    }
  }
}

void AppendHtmlCode(std::string_view text, std::string* code) {
  size_t run = 0;
  for (size_t i = 0; i < text.size();) {
    const auto c = static_cast<uint8_t>(text[i]);
    if (!kSpecialBytes[c] || c == '\n' || c == '\t' || c == ' ') {
      ++i;
      continue;
    }
    const size_t none = WidthlessLength(text, i);
    const size_t blank = none > 0 ? 0 : BlankLength(text, i);
    if (none == 0 && blank == 0) {
      ++i;
      continue;
    }
    code->append(text, run, i - run);
    if (c == '\r') {
      if (i + 1 >= text.size() || text[i + 1] != '\n') *code += '\n';
    } else if (blank > 0) {
      *code += ' ';
    }
    i += none + blank;
    run = i;
  }
  code->append(text, run);
}

}  // namespace recall
