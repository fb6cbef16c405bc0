#include "cli/show/output/cell_table.h"

#include <algorithm>
#include <numeric>

namespace recall {
namespace {

constexpr size_t kGap = 2;
constexpr size_t kLeastWidth = 4;

// Returns: the widths of the columns in a window. The widest columns become narrower until all fit.
std::vector<size_t> FittingWidths(std::vector<size_t> widths, size_t window) {
  if (window == 0) return widths;
  const size_t gaps = kGap * (widths.size() - 1);
  const size_t room = window > gaps ? window - gaps : 0;
  size_t sum = std::accumulate(widths.begin(), widths.end(), size_t{0});
  while (sum > room) {
    const auto widest = std::ranges::max_element(widths);
    if (*widest <= kLeastWidth) break;
    --*widest;
    --sum;
  }
  return widths;
}

std::string Padded(const std::string& shown, size_t used, const TableColumn& column, size_t width,
                   bool last) {
  const std::string space(width - std::min(used, width), ' ');
  if (column.right) return space + shown;
  return last ? shown : shown + space;
}

}  // namespace

std::string FormatCellTable(const std::vector<TableColumn>& columns,
                            const std::vector<std::vector<TableCell>>& rows,
                            const TextStyle& style) {
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns.size(); ++i) {
    size_t width = DisplayColumns(columns[i].heading);
    for (const auto& row : rows) width = std::max(width, DisplayColumns(row[i].text));
    widths.push_back(width);
  }
  widths = FittingWidths(std::move(widths), style.columns);
  std::string table;
  const auto add_line = [&](const auto& shown_cell) {
    for (size_t i = 0; i < columns.size(); ++i) {
      table += (i > 0 ? std::string(kGap, ' ') : "") + shown_cell(i, i + 1 == columns.size());
    }
    table.resize(table.find_last_not_of(' ') + 1);
    table += '\n';
  };
  add_line([&](size_t i, bool last) {
    const std::string cut = CutToColumns(columns[i].heading, widths[i], false);
    return Padded(style.Bold(cut), DisplayColumns(cut), columns[i], widths[i], last);
  });
  for (const auto& row : rows) {
    add_line([&](size_t i, bool last) {
      const std::string cut = CutToColumns(row[i].text, widths[i], columns[i].keeps_end);
      return Padded(style.Link(row[i].link, cut), DisplayColumns(cut), columns[i], widths[i], last);
    });
  }
  return table;
}

}  // namespace recall
