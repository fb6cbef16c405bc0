#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace recall {

// A page as UTF-8.
struct HtmlText {
  std::string_view text;  // in `storage`, or the page's own bytes
  std::string storage;
  bool wrong_charset = false;  // bytes are not of the charset that is declared
};

// Decodes a page. Its charset is given by the first of: a byte order mark; `charset`, which the
// carrier of the page knows (a mail header) or is ""; `<meta charset>` or `<meta http-equiv>` in
// the first 4 KiB, not counting comments; the XML declaration. Bytes that are something else are
// read as that (ReconcileCharset). Without any it is UTF-8 if all bytes are, else what
// DetectCharset finds, else windows-1252. Charsets are those of charset_decoder.h; a name that it
// does not know is passed over. Ill-formed bytes become U+FFFD. NUL and U+F8F3 become spaces.
//
// `result->text` refers to `bytes` or to `result->storage`: do not move `result`.
void DecodeHtml(std::string_view bytes, std::string_view charset, HtmlText* result);

}  // namespace recall
