#pragma once

#include <cstdint>
#include <vector>

#include "index/source/extract/html/html_tree.h"

namespace recall {

// Finds lists of contents that are written as headings: headings in a row, without text between, of
// which four or more, and at least half, are links to somewhere else, from the first link to the
// last, and at least two of which would be headings of sections without text. Returns for each node
// whether it is such a heading; `is_whole`: the page is a document of its own, so that links to
// other pages do not count, since what they lead to is not in it; empty if none is. Cost: linear in
// the nodes.
std::vector<uint8_t> FindContentsHeadings(const HtmlTree& tree, bool is_whole);

}  // namespace recall
