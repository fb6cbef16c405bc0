#pragma once

#include <cstdint>
#include <string_view>

namespace recall {

// Statistics of the text of a subtree. Lengths are in characters, with white space collapsed.
struct HtmlTextFacts {
  int64_t length = 0;
  int64_t link_tenths = 0;  // length of text in links times ten, of links within the page times 3
  int64_t list_length = 0;  // of text in lists, counted once for each list around it
  int64_t heading_length = 0;
  int32_t commas = 0;
  int32_t sentences = 0;  // texts outside links that contain the end of a sentence
  int32_t paragraphs = 0;
  int32_t images = 0;
  int32_t items = 0;  // of lists

  // Adds the facts of a subtree, or subtracts them if `sign` is -1.
  void Add(const HtmlTextFacts& other, int sign);

  // Returns the share of the text that is in links, 0 to 1.
  double LinkDensity() const {
    if (length <= 0) return 0;
    return static_cast<double>(link_tenths) / (10 * static_cast<double>(length));
  }
  // Returns whether this is prose of more than a line, with few links.
  bool IsLongText() const {
    return length > 80 && LinkDensity() < 0.25 && (paragraphs > 0 || heading_length > 0);
  }
};

// Returns the facts of a text without elements.
HtmlTextFacts FactsOfText(std::string_view text);

}  // namespace recall
