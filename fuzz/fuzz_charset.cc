// DecodeTextBytes: any bytes are text as they are, or become text that the store can hold, or are
// refused; the start of what it takes is taken, too. ReconcileCharset names a charset that gives
// UTF-8. The same bytes always give the same.
// Input: a byte for the charset that is given; the bytes.

#include <array>

#include "fuzz/fuzz_target.h"
#include "index/base/text/utf8.h"
#include "index/source/extract/charset/charset_decoder.h"
#include "index/source/extract/charset/charset_detector.h"
#include "index/source/extract/charset/text_bytes.h"

namespace recall {
namespace {

constexpr std::array<std::string_view, 12> kGiven = {
    "",          "utf-8",  "utf-16",  "utf-32", "windows-1252", "iso-8859-2",
    "shift_jis", "euc-jp", "gb18030", "big5",   "euc-kr",       "iso-2022-jp"};

bool IsStorable(std::string_view text) { return IsValidUtf8(text) && text.find('\0') == text.npos; }

}  // namespace

void FuzzOne(ByteSpan input) {
  ByteReader reader(input);
  const std::string_view given = kGiven[reader.Read<uint8_t>() % kGiven.size()];
  const std::string_view bytes = AsText(TakeRest(reader));
  const auto decoded = DecodeTextBytes(bytes, given);
  if (!decoded) {
    RECALL_CHECK(decoded.error().code() == StatusCode::kInvalidArgument && !IsStorable(bytes));
  } else if (!*decoded) {
    RECALL_CHECK(IsStorable(bytes));
  } else {
    RECALL_CHECK(IsStorable((*decoded)->text) && IsKnownCharset((*decoded)->charset));
    const auto again = DecodeTextBytes(bytes, given);
    RECALL_CHECK(again && *again && (*again)->text == (*decoded)->text);
  }
  if (decoded && given.empty()) RECALL_CHECK(MayBeTextHead(bytes).ok());
  const std::string_view detected = DetectCharset(bytes);
  RECALL_CHECK(detected.empty() || IsKnownCharset(detected));
  const CharsetChoice choice = ReconcileCharset(bytes, given);
  std::string text;
  AppendInCharset(bytes, choice.charset, &text);
  RECALL_CHECK(IsValidUtf8(text));
  RECALL_CHECK(given.empty() || IsKnownCharset(choice.charset));
}

}  // namespace recall
