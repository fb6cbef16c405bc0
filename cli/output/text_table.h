#pragma once

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
inline std::string FormatTable(const TextTable& table) {
  return FormatTable(table.rows, table.right);
}

}  // namespace recall
