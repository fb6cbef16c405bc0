#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// The text of bytes that are not wholly UTF-8.
struct DecodedText {
  std::string text;       // UTF-8
  std::string charset;    // what the bytes were read as: "windows-1251", "utf-16le", "utf-8"
  bool is_given = false;  // the user named the charset
  uint64_t replaced = 0;  // bytes, or units of UTF-16 and UTF-32, that became U+FFFD
};

// Reads bytes as text. A byte order mark decides; then UTF-8, if all bytes are; then `given`, the
// charset that the user names ("": none); then UTF-16 without a mark, by its zero bytes; then the
// charset that DetectCharset finds; then UTF-8 of which less than one byte in a hundred is bad.
// Bytes in UTF-8 are text as they are, a byte order mark included, and so are those of a `given`
// charset that are ASCII. But ASCII with the escapes of ISO-2022-JP is decoded. Returns: nothing
// for text as it is. Errors: InvalidArgument "it is not text: ..." for anything else, such as
// programs, pictures and compressed data. Linear; UTF-8 costs one check.
Result<std::optional<DecodedText>> DecodeTextBytes(std::string_view bytes, std::string_view given);

// What bytes are read as of which a page or a message says that they are in `declared`.
struct CharsetChoice {
  std::string charset;
  bool contradicts = false;  // the bytes cannot be in `declared`
};

// Returns `declared`, a name as of AppendInCharset, unless the bytes are something else: UTF-8
// where they are UTF-8 beyond ASCII, which is no accident; and where they are said to be UTF-8 and
// are not, or the name says nothing, the charset that DetectCharset finds. Linear.
CharsetChoice ReconcileCharset(std::string_view bytes, std::string_view declared);

// Whether the start of a file can be that of a text. It may end within a character.
Status MayBeTextHead(std::string_view head);

}  // namespace recall
