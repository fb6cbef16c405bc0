#pragma once

#include <cstdint>
#include <vector>

#include "index/source/extract/pdf/bbox_reader.h"

namespace recall {

// The facts about a line that the layout needs.
struct PdfLineShape {
  PdfBox box;  // x of all words, y of its highest word
  // The height of its highest word. Words with less than three characters are ignored if there are
  // longer ones, because in another font of the same size a box may have half or double the height.
  float letter_height = 0;
  uint32_t characters = 0;
  bool is_rotated = false;
  bool has_leaders = false;  // a row of dots, as in tables of contents

  float Middle() const { return (box.y0 + box.y1) / 2; }
};

struct PdfTableCell {
  uint32_t column = 0;
  std::vector<uint32_t> lines;  // not empty
};

struct PdfTableRow {
  std::vector<PdfTableCell> cells;  // ascending columns
};

struct PdfTableRegion {
  std::vector<PdfTableRow> rows;
};

// Returns rows, from top to bottom: lines whose middles are at one height, from left to right.
// Rotated lines are left out.
std::vector<std::vector<uint32_t>> RowsOfLines(const std::vector<PdfLineShape>& lines);

// Finds the tables of a page. Poppler reads a table column by column, since it takes columns for
// columns of running text; these regions are to be read by rows. Columns of running text, of an
// index, of a reference card are not returned: poppler's order is right for them.
std::vector<PdfTableRegion> FindTableRegions(const std::vector<PdfLineShape>& lines,
                                             const std::vector<std::vector<uint32_t>>& rows);

}  // namespace recall
