#pragma once

#include <cstdint>
#include <vector>

#include "index/source/extract/html/html_tree.h"

namespace recall {

// A row of a table: the node of the row and those of its cells.
struct HtmlTableRow {
  int32_t node;
  std::vector<int32_t> cells;
};

// Returns the rows of a table in document order, also those in its parts, without the nodes that
// `skip` marks (empty: none) and without the rows of tables in its cells.
std::vector<HtmlTableRow> HtmlTableRows(const HtmlTree& tree, const std::vector<uint8_t>& skip,
                                        int32_t table);

}  // namespace recall
