#include "index/source/extract/html/html_table_cells.h"

namespace recall {
namespace {

template <typename Visit>
void ForEachKeptChild(const std::vector<HtmlNode>& nodes, const std::vector<uint8_t>& skip,
                      int32_t parent, Visit visit) {
  const int32_t end = nodes[static_cast<size_t>(parent)].end;
  for (int32_t i = parent + 1; i < end; i = nodes[static_cast<size_t>(i)].end) {
    const bool is_kept = skip.empty() || skip[static_cast<size_t>(i)] == 0;
    if (is_kept && !nodes[static_cast<size_t>(i)].is_text()) {
      visit(i, nodes[static_cast<size_t>(i)].tag);
    }
  }
}

}  // namespace

std::vector<HtmlTableRow> HtmlTableRows(const HtmlTree& tree, const std::vector<uint8_t>& skip,
                                        int32_t table) {
  std::vector<HtmlTableRow> rows;
  const auto add_row = [&](int32_t row, GumboTag tag) {
    if (tag != GUMBO_TAG_TR) return;
    rows.push_back({row, {}});
    ForEachKeptChild(tree.nodes(), skip, row, [&](int32_t cell, GumboTag cell_tag) {
      if (cell_tag == GUMBO_TAG_TD || cell_tag == GUMBO_TAG_TH) rows.back().cells.push_back(cell);
    });
  };
  ForEachKeptChild(tree.nodes(), skip, table, [&](int32_t part, GumboTag tag) {
    add_row(part, tag);
    if (tag == GUMBO_TAG_TBODY || tag == GUMBO_TAG_THEAD || tag == GUMBO_TAG_TFOOT) {
      ForEachKeptChild(tree.nodes(), skip, part, add_row);
    }
  });
  return rows;
}

}  // namespace recall
