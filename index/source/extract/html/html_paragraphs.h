#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/html/html_tree.h"

namespace recall {

// Returns how many characters of running text a page has outside links: text in `p`, sentences, and
// long texts in other elements. `skip`: for each node whether it is left out with what is in it;
// empty: none is. Linear in the page.
int64_t HtmlParagraphLength(const HtmlTree& tree, const std::vector<uint8_t>& skip);

// Returns the page with its `noscript` elements as divs, if they have more than four times as much
// text as `paragraphs` characters: then scripts would have written the page, and what is for
// readers without scripts is its text. Nothing if they have less. Linear in the page.
std::optional<std::string> HtmlWithNoscript(std::string_view page, int64_t paragraphs);

}  // namespace recall
