#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace recall {

// How well the bytes agreed with the character set they are said to be in.
enum class CharsetFit {
  kGood,
  kWrong,    // some bytes are not of the set; each is U+FFFD
  kUnknown,  // the set is not known: what is not UTF-8 is U+FFFD
};

// Appends `bytes` as UTF-8. Known are, by their usual names: UTF-8, UTF-16, UTF-32, US-ASCII; of
// single bytes ISO 8859, Windows 125x and 874, KOI8, Macintosh and four of DOS; Shift_JIS, EUC-JP,
// ISO-2022-JP (JIS X 0208), GBK with GB 2312 (of the four bytes of GB 18030 those beyond the basic
// multilingual plane), Big5, EUC-KR. As browsers do (encoding.spec.whatwg.org), ISO 8859-1 is read
// as windows-1252. No name, a name such as "unknown-8bit", and bytes beyond ASCII in US-ASCII:
// UTF-8 if they are, else windows-1252. Any bytes are accepted; linear in them. NUL stays. The
// tables are in the program, so that a text is the same on every machine (decision 0055).
// Decoding may end where `*out` exceeds `max_bytes`.
CharsetFit AppendInCharset(std::string_view bytes, std::string_view charset, std::string* out,
                           uint64_t max_bytes = UINT64_MAX);

// Whether a name is that of one of these sets, and not one that says nothing.
bool IsKnownCharset(std::string_view charset);

// Whether a name says nothing of bytes beyond ASCII: none at all, US-ASCII, "unknown-8bit".
bool SaysNoCharset(std::string_view charset);

}  // namespace recall
