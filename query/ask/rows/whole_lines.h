#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "index/search/snapshot/texts_and_facts.h"

namespace recall {

// The hash by which a citation names its text: that of whole lines, so that it can be computed from
// the line numbers alone, and without the newline that ends the last line, so that a line keeps its
// hash when another one is appended to the file.

// Returns: the SHA-256 of `lines`, without a newline at its end, as 64 hexadecimal digits.
std::string HashOfLines(std::string_view lines);

// Returns: HashOfLines of the lines that contain the bytes start .. end-1 of a document. Requires:
// start < end. Errors: Corruption.
Result<std::string> HashWholeLines(const TextsAndFacts& texts, const DocRow& doc, uint64_t start,
                                   uint64_t end);

// Returns: the byte range of the lines first .. last (to the end of the text if unset, or if there
// are fewer lines), with their newlines; nothing if the text has no line `first`.
std::optional<std::pair<uint64_t, uint64_t>> FindLines(std::string_view text, uint64_t first,
                                                       std::optional<uint64_t> last);

// Returns: the number of lines; a newline at the end of the text ends the last line.
uint64_t CountLines(std::string_view text);

}  // namespace recall
