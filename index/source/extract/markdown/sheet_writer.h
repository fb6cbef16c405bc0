#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/markdown/markdown_writer.h"

namespace recall {

// "A", "Z", "AA" for 1, 26, 27. Requires: column >= 1.
std::string ColumnName(int64_t column);

struct CellPlace {
  int64_t row = 0;     // from 1
  int64_t column = 0;  // from 1
};
// "B4" -> row 4, column 2; "$" before either is ignored. Nothing for other texts, and for rows and
// columns of more than 9 and 5 digits or letters.
std::optional<CellPlace> ParseCellPlace(std::string_view name);

// Writes the cells of one sheet as rows with tabs. Cells keep their columns: an empty one between
// others is an empty place between tabs, but a gap of more than 32 columns is one tab. The locators
// are kSheet with the range of a block of rows ("A1:F40"), which has at least 256 bytes of text
// unless an empty row or the sheet ends it, so that the places of a chunk are exact to a few rows.
class SheetWriter final {
 public:
  // `writer` must outlive this. number: from 1. The name of the sheet becomes a heading of level 1,
  // if `heading` is not empty and the sheet has text; its locator has no range.
  SheetWriter(MarkdownWriter* writer, int64_t number, std::string name, std::string_view heading);
  SheetWriter(const SheetWriter&) = delete;
  SheetWriter& operator=(const SheetWriter&) = delete;

  // Begins a row; the cells that follow are in it. Rows count from 1. `repeat`: the number of equal
  // rows from here on. Up to 64 of them are written; of more, only one, whose range covers them
  // all. Rows are expected in ascending order; others are written as they come.
  void BeginRow(int64_t row, int64_t repeat = 1);
  // Adds a cell. Columns count from 1. `repeat`: the number of equal cells side by side, which are
  // written by the same rule. Empty texts and white space write nothing. The cells of a row may
  // come in any order.
  void Cell(int64_t column, std::string_view text, int64_t repeat = 1);
  // Writes what is left. Nothing may follow.
  void Finish();
  // Writes the heading if it is not written yet.
  void WriteHeading();

 private:
  struct Piece {
    int64_t column = 0;
    int64_t last_column = 0;
    size_t begin = 0;  // in row_text_
    size_t size = 0;
  };
  struct HeldRow {
    int64_t row = 0;
    int64_t last_row = 0;
    size_t begin = 0;  // of its pieces in block_pieces_
    size_t end = 0;
  };

  void EndRow();
  void WriteBlock();

  MarkdownWriter* writer_;
  Locator locator_;
  std::string heading_;  // "" when it is written
  int64_t row_ = 0;
  int64_t repeat_ = 1;
  int64_t last_row_ = 0;      // with text; 0: none
  int64_t first_column_ = 0;  // of all rows so far; 0: none
  size_t row_begin_ = 0;      // pieces_ of the open row
  std::string text_;          // of the block and the open row
  std::vector<Piece> pieces_;
  std::vector<HeldRow> rows_;
};

}  // namespace recall
