#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace recall {

// The rows of a table, of which the first contains the headings, and which columns are
// right-aligned. Every row has as many cells as the first.
struct TextTable {
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> right;
};

// Returns: a Markdown table with aligned columns. The first row contains the headings; columns with
// true in `right` are right-aligned. Cells are escaped so that they stay on their line and in their
// column. Requires: every row has as many cells as the first.
std::string FormatTable(const std::vector<std::vector<std::string>>& rows,
                        const std::vector<bool>& right);
// As above. A table that is wider than `columns`, unless this is 0, becomes a block of lines for
// each row: the first cell, then "  heading  cell" for each other cell that is not empty.
std::string FormatTable(const TextTable& table, size_t columns);

}  // namespace recall
