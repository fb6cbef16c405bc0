#pragma once

#include <string_view>

namespace recall {

// Which charset the bytes of a text are in that are not UTF-8: windows-1252 (of which ISO 8859-1 is
// a part), windows-1250, ISO-8859-2, windows-1251, KOI8-R, KOI8-U, IBM866, windows-1253,
// ISO-8859-7, windows-1254 (ISO-8859-9), windows-1255, windows-1256, ISO-8859-6, Shift_JIS, EUC-JP,
// GBK (GB 18030), Big5 or EUC-KR. "" if no charset is plausible, as for bytes that are no text.
// Depends on nothing but `bytes`, of which the first lines with bytes beyond ASCII are looked at,
// together 8 KiB.
std::string_view DetectCharset(std::string_view bytes);

}  // namespace recall
