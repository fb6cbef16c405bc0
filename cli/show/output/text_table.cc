#include "cli/show/output/text_table.h"

#include <algorithm>

#include "cli/show/terminal/terminal.h"

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

// The rows as blocks of lines, separated by blank lines.
std::string FormatBlocks(const std::vector<std::vector<std::string>>& rows) {
  const std::vector<std::string>& headings = rows.front();
  size_t width = 0;
  for (size_t i = 1; i < headings.size(); ++i) width = std::max(width, Columns(headings[i]));
  std::string blocks;
  for (size_t row = 1; row < rows.size(); ++row) {
    if (row > 1) blocks += '\n';
    if (!headings[0].empty()) blocks += EscapeLine(headings[0]) + ": ";
    blocks += EscapeLine(rows[row][0]) + "\n";
    for (size_t i = 1; i < headings.size(); ++i) {
      if (rows[row][i].empty()) continue;
      blocks += "  " + EscapeLine(headings[i]) +
                std::string(width - Columns(headings[i]) + 2, ' ') + EscapeLine(rows[row][i]) +
                "\n";
    }
  }
  return blocks;
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

std::string FormatTable(const TextTable& table, size_t columns) {
  std::string text = FormatTable(table.rows, table.right);
  const bool fits = columns == 0 || DisplayColumns(text.substr(0, text.find('\n'))) <= columns;
  return fits ? text : FormatBlocks(table.rows);
}

}  // namespace recall
