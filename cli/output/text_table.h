#pragma once

#include <string>
#include <vector>

namespace recall {

// Returns: a Markdown table with aligned columns. The first row contains the headings; columns with
// true in `right` are right-aligned. Cells are escaped so that they stay on their line and in their
// column. Requires: every row has as many cells as the first.
std::string FormatTable(const std::vector<std::vector<std::string>>& rows,
                        const std::vector<bool>& right);

}  // namespace recall
