#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/pdf/bbox_reader.h"

namespace recall {

// The text between a line of a piece and the next one.
enum class PdfLineEnd : uint8_t {
  kSpace,    // the paragraph goes on
  kNewLine,  // the line ends here on purpose
  kHyphen,   // the line ends with a hyphen, which may be there only because the line ends
};

struct PdfTextLine {
  uint32_t start = 0;  // bytes of PdfPageText::text
  uint32_t size = 0;
  int8_t margin_row = -1;  // index in PdfPageText::margin_rows, or -1
  PdfLineEnd end = PdfLineEnd::kNewLine;
};

// A paragraph, list, heading, or the rows of a table.
struct PdfPiece {
  uint32_t first_line = 0;
  uint32_t end_line = 0;
  float letter_height = 0;  // points, of the boxes of its words: 1.1 to 1.4 times the font size
  uint32_t characters = 0;
  bool is_flow = true;  // running text that is not rotated: may be a heading, or go on elsewhere
};

// A row near the upper or lower edge, which may be a running head or foot.
struct PdfMarginRow {
  bool is_top = false;
  bool is_outermost = false;
  float distance = 0;       // of its middle from the edge, in points
  float gap = 0;            // between its middle and that of the next row; 0 if there is none
  float letter_height = 0;  // the greatest of its words, as that of a PdfPiece
  // Its words from left to right, separated by spaces; by a tab where the gap is wide, as between a
  // title and a page number at the other side.
  std::string text;
};

struct PdfPageText {
  std::string text;
  std::vector<PdfTextLine> lines;
  std::vector<PdfPiece> pieces;           // in reading order; not empty
  std::vector<PdfMarginRow> margin_rows;  // at most four
  uint32_t words = 0;
  // The words of some lines are not in poppler's order: the rows of a table were put together.
  bool order_changed = false;
};

// Lays out the text of a page: pieces in poppler's reading order, except that rows of tables are
// put together, with tabs between the cells. Lines are joined into paragraphs by the rule that a
// line that has room for the first word of the next one ends on purpose. A row of dots, as in
// tables of contents, becomes a tab; bullets become "- ". *result is cleared first. O(n log n) for
// n words.
void LayOutPdfPage(const PdfPage& page, PdfPageText* result);

}  // namespace recall
