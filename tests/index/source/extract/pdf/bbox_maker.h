#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recall {

// Makes outputs of `pdftotext -bbox-layout`. A letter of size 10 is 5 points wide and 12 high; a
// space is 2.5 wide.
class BboxMaker final {
 public:
  // A new page of 600 x 800 points.
  BboxMaker& Page();
  // A new block; each is in a flow of its own.
  BboxMaker& Block();
  // A line of the block; x is its left edge, y the upper edge of its letters.
  BboxMaker& Line(double x, double y, std::string_view text, double size = 10);
  // Lines 12 points below each other, in one block.
  BboxMaker& Lines(double x, double y, const std::vector<std::string>& lines, double size = 10);
  // `head`: what stands before the pages, instead of a head without facts.
  std::string Finish(std::string_view head = "");

 private:
  void EndBlock();
  void EndPage();

  std::string out_;
  bool in_page_ = false;
  bool in_block_ = false;
};

// Text as it stands between tags and in attributes.
std::string XhtmlEscaped(std::string_view text);

}  // namespace recall
