#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace recall {

// A page as UTF-8.
struct HtmlText {
  std::string_view text;  // in `storage`, or the page's own bytes
  std::string storage;
  std::string refusal;  // why it could not be read; else ""
};

// Decodes a page. Its charset is given by the first of: a byte order mark; `charset`, which the
// carrier of the page knows (a mail header) or is ""; `<meta charset>` or `<meta http-equiv>` in
// the first 4 KiB; the XML declaration. Without any it is UTF-8 if all bytes are, else
// windows-1252. Names of charsets are those of https://encoding.spec.whatwg.org; "iso-8859-1" means
// windows-1252 there. Ill-formed bytes become U+FFFD. NUL and U+F8F3 become spaces.
//
// Read are UTF-8, UTF-16 and the sets with one byte for a character. The sets of several bytes
// (Shift_JIS, GBK, ...) are refused unless all bytes are ASCII: glibc reads their tables from disk,
// and an extractor must not open files.
//
// `result->text` refers to `bytes` or to `result->storage`: do not move `result`.
void DecodeHtml(std::string_view bytes, std::string_view charset, HtmlText* result);

// The upper halves of the charsets of one byte: U+FFFD where a byte means nothing.
struct HtmlCodePage {
  const char* name;  // lower case, as the encoding standard writes it
  uint16_t upper[128];
};
// Null if there is none of this name.
const HtmlCodePage* FindHtmlCodePage(std::string_view name);

}  // namespace recall
