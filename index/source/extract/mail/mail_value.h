#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/charset/charset_decoder.h"

namespace recall {

// Decoded values are cut after this many bytes.
inline constexpr size_t kLongestMailValue = 64 << 10;

// What went wrong while the headers and texts of a message were decoded.
struct MailNotes {
  bool unknown_charset = false;
  bool wrong_charset = false;
  bool cut_header = false;
};

// Notes that a text was not, or not wholly, of its charset.
void NoteCharsetFit(CharsetFit fit, MailNotes* notes);

// Decodes a value for people, into one line: unfolds it, and decodes encoded words (RFC 2047), also
// where they are not allowed, such as in quotes. Bytes beyond ASCII are UTF-8 if they are valid,
// else of `charset`.
std::string DecodeMailValue(std::string_view raw, std::string_view charset, MailNotes* notes);

// Returns the ids in a value, without "<" and ">"; at most `most`.
std::vector<std::string> MailIds(std::string_view raw, size_t most);

// Removes the line ends of a folded value, after cutting it to kLongestMailValue.
std::string UnfoldMailValue(std::string_view raw, MailNotes* notes);

// Repairs a decoded value to UTF-8 in one line with single spaces.
std::string CleanMailLine(std::string_view text);

}  // namespace recall
