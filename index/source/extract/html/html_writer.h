#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "index/source/extract/html/html_tree.h"
#include "index/source/extract/types/extraction.h"

namespace recall {

// The locator of text whose nearest element before it with an id has this id; "": there is none in
// this document. Without a locator the text belongs to no place.
using ElementLocator = std::function<std::optional<Locator>(std::string_view id)>;

// Writes a tree as Markdown to the end of `extraction->text`, with spans, after an empty line if
// there is text before. Nodes with `skip[node]` are left out with what is in them; empty: none.
//
//   headings      "## Title", also where they are in a list
//   lists         "- item", "3. item", nested by indentation; tight
//   tables        "| cell | cell |", with "| --- |" after a row of headings; a table with other
//                 than text in its cells, or with one row or column, is no table but a layout
//   code          fences, with the language of a class "language-x", "lang-x" or "highlight-x"
//   definitions   "term", then ": text" in the next line
//   quotes        "> text"
//   images        their alternative text, as words
//
// Links and emphasis keep their text alone. White space is collapsed outside `pre`; soft hyphens
// and spaces without width are removed. A line that would begin a heading, a fence or an HTML block
// only by accident begins with "\". Anchors of headings ("¶") are left out.
//
// Returns: false if the text exceeds limits.max_text_bytes; it is incomplete then.
bool WriteHtmlMarkdown(const HtmlTree& tree, const std::vector<uint8_t>& skip,
                       const ElementLocator& locate, const ExtractLimits& limits,
                       Extraction* extraction);

// Whether the node is a link of a heading to itself.
bool IsHeadingAnchor(const HtmlTree& tree, int32_t node);

}  // namespace recall
