#pragma once

// Tables for people on a terminal: aligned columns, cut to the window.

#include <string>
#include <vector>

#include "cli/show/terminal/terminal.h"

namespace recall {

struct TableColumn {
  std::string heading;
  bool right = false;      // right-aligned, as numbers are
  bool keeps_end = false;  // cut at the front, as paths are
};

struct TableCell {
  std::string text;    // on one line and safe to print, see EscapeLine
  std::string link{};  // the target of a hyperlink; "" for none
};

// Returns: a line of headings, then a line for each row; columns are separated by two spaces. If a
// row is wider than `style.columns` (0: no limit), the widest columns are cut, with "…" in place of
// what is missing. Requires: every row has a cell for each column.
std::string FormatCellTable(const std::vector<TableColumn>& columns,
                            const std::vector<std::vector<TableCell>>& rows,
                            const TextStyle& style);

}  // namespace recall
