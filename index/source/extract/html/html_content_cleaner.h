#pragma once

#include <cstdint>
#include <vector>

#include "index/source/extract/html/html_content_scores.h"

namespace recall {

// The elements of a page that were chosen as its content.
struct HtmlContentRoots {
  std::vector<int32_t> roots;    // in document order; none contains another
  std::vector<uint8_t> is_root;  // for each node
  std::vector<uint8_t> outside;  // for each node: whether it is in no root
};

// Removes from the roots what is no content: footers, asides, links to share the page, lists of
// contents, menus beside the text, and forms, tables, lists and divs that are mostly links.
// `winner`: the roots are the outer one and its siblings.
void CleanHtmlContent(const HtmlContentPage& page, const HtmlContentScores& scores,
                      const HtmlContentRoots& roots, HtmlContentScores::Winner winner,
                      HtmlContentText* text);

}  // namespace recall
