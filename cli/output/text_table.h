#pragma once

#include <string>
#include <vector>

namespace recall {

// A table as Markdown has it, with its columns aligned for reading. The first row is the head;
// cells of columns in `right` are set to the right. Every row has as many cells as the head.
// Cells are escaped to stay on their line and in their column.
std::string FormatTable(const std::vector<std::vector<std::string>>& rows,
                        const std::vector<bool>& right);

}  // namespace recall
