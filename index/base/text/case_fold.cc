#include "index/base/text/case_fold.h"

#include <utf8proc.h>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

constexpr uint32_t kCapitalDottedI = 0x130;  // folds to itself except in Turkish

// The number of ASCII characters at the start of the text.
size_t AsciiPrefix(std::string_view text) {
  size_t at = 0;
  while (at < text.size() && static_cast<uint8_t>(text[at]) < 0x80) ++at;
  return at;
}

// The loop has no branch per character, so the compiler vectorises it.
void FoldAsciiAppend(std::string_view text, std::string* out) {
  const size_t before = out->size();
  out->resize(before + text.size());
  char* const to = out->data() + before;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    const bool is_capital = static_cast<uint8_t>(byte - 'A') < 26;
    to[i] = static_cast<char>(byte + (is_capital ? 'a' - 'A' : 0));
  }
}

}  // namespace

uint32_t FoldCase(uint32_t code_point) {
  if (code_point < 0x80) {
    return code_point >= 'A' && code_point <= 'Z' ? code_point + ('a' - 'A') : code_point;
  }
  if (code_point == kCapitalDottedI) return code_point;
  // utf8proc has only the full folding. If that is one character, it is also the simple folding;
  // otherwise the simple folding is the lower case.
  const auto character = static_cast<utf8proc_int32_t>(code_point);
  utf8proc_int32_t folded[4];
  int boundary = 0;
  const utf8proc_ssize_t count =
      utf8proc_decompose_char(character, folded, 4, UTF8PROC_CASEFOLD, &boundary);
  if (count == 1) return static_cast<uint32_t>(folded[0]);
  return static_cast<uint32_t>(utf8proc_tolower(character));
}

void FoldCaseAppend(std::string_view text, std::string* out) {
  for (size_t position = 0; position < text.size();) {
    const size_t ascii = AsciiPrefix(text.substr(position));
    if (ascii != 0) {
      FoldAsciiAppend(text.substr(position, ascii), out);
      position += ascii;
      continue;
    }
    const size_t start = position;
    const uint32_t character = DecodeUtf8(text, &position);
    if (position == start + 1) {
      *out += text[start];
    } else {
      AppendUtf8(FoldCase(character), out);
    }
  }
}

}  // namespace recall
