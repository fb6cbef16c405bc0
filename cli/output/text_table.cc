#include "cli/output/text_table.h"

#include <algorithm>

#include "cli/terminal/terminal.h"

namespace recall {
namespace {

// Returns: the width of a cell, counted as UTF-8 characters. Wide and combining characters count as
// one.
size_t Columns(const std::string& cell) {
  return static_cast<size_t>(std::ranges::count_if(
      cell, [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }));
}

std::string Cell(const std::string& text) {
  std::string cell;
  for (const char c : EscapeLine(text)) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

}  // namespace

std::string FormatTable(const std::vector<std::vector<std::string>>& rows,
                        const std::vector<bool>& right) {
  std::vector<std::vector<std::string>> cells = rows;
  std::vector<size_t> widths(right.size(), 3);
  for (auto& row : cells) {
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] = Cell(row[i]);
      widths[i] = std::max(widths[i], Columns(row[i]));
    }
  }
  std::string table;
  for (size_t row = 0; row < cells.size(); ++row) {
    for (size_t i = 0; i < right.size(); ++i) {
      const std::string space(widths[i] - Columns(cells[row][i]), ' ');
      table += "| " + (right[i] ? space + cells[row][i] : cells[row][i] + space) + " ";
    }
    table += "|\n";
    if (row > 0) continue;
    for (size_t i = 0; i < right.size(); ++i) {
      table += "| " + std::string(widths[i] - (right[i] ? 1 : 0), '-') + (right[i] ? ": " : " ");
    }
    table += "|\n";
  }
  return table;
}

}  // namespace recall
