#pragma once

#include <cstdint>
#include <vector>

#include "index/source/extract/html/html_content_page.h"

namespace recall {

// Which rules of Readability an attempt applies.
struct HtmlContentRules {
  bool strip;  // remove elements whose names or roles are unlikely for content
  bool weigh;  // names change scores
  bool clean;  // remove lists, tables and divs of links from the winner
};

// What an attempt takes as the main content.
struct HtmlContentChoice {
  std::vector<uint8_t> skip;  // for each node, whether it is left out with what is in it
  int64_t length = 0;         // characters of the content
  double density = 0;         // the share of them in links
  bool vouched = false;       // the page itself calls this its content
  int32_t inner = -1;         // the element that won by its score; -1: none has yet
};

// `last_inner`: the inner element of the attempt before, or -1. If the body wins, the menus beside
// that element are removed.
HtmlContentChoice ChooseHtmlContent(const HtmlContentPage& page, const HtmlContentRules& rules,
                                    int32_t last_inner);

}  // namespace recall
