#pragma once

#include <cstdint>
#include <vector>

#include "index/source/extract/html/html_tree.h"

namespace recall {

// Which nodes of a page are not its main content.
struct HtmlSelection {
  std::vector<uint8_t> skip;  // for each node, whether to leave it out with what is in it
  // How sure the choice is, in hundredths, 0 to 100: many characters outside links, an element that
  // says that it is the main one.
  int score = 0;
  // The main content could not be told from the rest: `skip` leaves out only a list of
  // contents (html_contents_list.h).
  bool is_fallback = false;
};

HtmlSelection SelectMainContent(const HtmlTree& tree);

}  // namespace recall
