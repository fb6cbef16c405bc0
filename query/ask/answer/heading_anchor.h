#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace recall {

// Returns: the anchor that GitHub makes of a heading: lower case, spaces as hyphens, without other
// punctuation than '-' and '_', and without the targets of links.
std::string AnchorOf(std::string_view title);

// Finds the section of a Markdown text whose heading has this anchor, in any case: the bytes from
// its heading to the next one of the same or a higher level. Of equal headings, the second has the
// anchor NAME-1, the third NAME-2. Nothing if there is none. Linear in the text.
std::optional<std::pair<uint64_t, uint64_t>> FindSection(std::string_view text,
                                                         std::string_view anchor);

}  // namespace recall
