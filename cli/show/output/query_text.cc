#include "cli/show/output/query_text.h"

#include <algorithm>
#include <cstdio>

#include "cli/show/output/cell_table.h"
#include "cli/show/output/field_values.h"
#include "cli/show/output/number_text.h"

namespace recall {
namespace {

std::string CellText(const QueryColumn& column, const QueryRow& row, FieldValues& values) {
  if (!column.is_score) return values.Text(column.field);
  std::string score;
  AppendJsonNumber(row.score, &score);
  return score;
}

constexpr char kCite[] = "cite";  // the name of the column

std::string CitationOf(const QueryRow& row) {
  return recall::CitationOf(row.doc, row.chunk ? &*row.chunk : nullptr);
}

FieldValues ValuesOf(const QueryRow& row) {
  return FieldValues(row.doc, row.chunk ? &*row.chunk : nullptr);
}

// Indents stored text of several lines. In a pipe the bytes are unchanged.
std::string Indented(std::string_view text, const TextStyle& style) {
  std::string lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!line.empty()) lines += "    ";
    lines += (style.escape ? EscapeControls(line) : std::string(line)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string CsvCell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + '"';
}

}  // namespace

std::string EscapeCell(std::string_view text) {
  std::string cell;
  cell.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (c == '\\') {
      cell += "\\\\";
    } else if (c == '\t') {
      cell += "\\t";
    } else if (c == '\n') {
      cell += "\\n";
    } else if (c == '\r') {
      cell += "\\r";
    } else if (byte < 0x20 || byte == 0x7F) {
      char buffer[8];
      std::snprintf(buffer, sizeof(buffer), "\\x%02x", static_cast<unsigned>(byte));
      cell += buffer;
    } else {
      cell += c;
    }
  }
  return cell;
}

std::string FormatRow(const std::vector<QueryColumn>& columns, const QueryRow& row,
                      const TextStyle& style, bool cite) {
  FieldValues values = ValuesOf(row);
  std::string line;
  const auto add = [&](const std::string& text, bool first) {
    const std::string cell = EscapeCell(text);
    line += (first ? "" : "\t") + (style.escape ? EscapeLine(cell) : cell);
  };
  for (size_t i = 0; i < columns.size(); ++i) add(CellText(columns[i], row, values), i == 0);
  if (cite) add(CitationOf(row), false);
  return line + "\n";
}

std::string FormatRowTable(const std::vector<QueryColumn>& columns,
                           const std::vector<QueryRow>& rows, const TextStyle& style, bool cite) {
  std::vector<TableColumn> headings;
  for (const QueryColumn& column : columns) {
    const FieldType type = InfoOf(column.field.field).type;
    const bool number = column.is_score || type == FieldType::kInteger || type == FieldType::kReal;
    const bool path = !column.is_score && column.field.field == Field::kDocPath;
    headings.push_back({EscapeLine(column.name), number, path});
  }
  if (cite) headings.push_back({kCite, false, true});
  std::vector<std::vector<TableCell>> cells;
  for (const QueryRow& row : rows) {
    FieldValues values = ValuesOf(row);
    std::vector<TableCell>& line = cells.emplace_back();
    for (size_t i = 0; i < columns.size(); ++i) {
      const std::string text =
          columns[i].is_score ? FormatNumber("%.3f", row.score) : CellText(columns[i], row, values);
      line.push_back(
          {EscapeLine(EscapeCell(text)), headings[i].keeps_end ? style.DocLink(row.doc.path) : ""});
    }
    if (cite) line.push_back({EscapeLine(EscapeCell(CitationOf(row))), ""});
  }
  return FormatCellTable(headings, cells, style);
}

std::string FormatCsvHead(const std::vector<QueryColumn>& columns, bool cite) {
  std::string line;
  for (const QueryColumn& column : columns)
    line += (line.empty() ? "" : ",") + CsvCell(column.name);
  if (cite) line += std::string(",") + kCite;
  return line + "\n";
}

std::string FormatCsvRow(const std::vector<QueryColumn>& columns, const QueryRow& row,
                         const TextStyle& style, bool cite) {
  FieldValues values = ValuesOf(row);
  std::string line;
  const auto add = [&](const std::string& text, bool first) {
    const std::string cell = CsvCell(text);
    line += (first ? "" : ",") + (style.escape ? EscapeControls(cell) : cell);
  };
  for (size_t i = 0; i < columns.size(); ++i) add(CellText(columns[i], row, values), i == 0);
  if (cite) add(CitationOf(row), false);
  return line + "\n";
}

std::string FormatRecord(const std::vector<QueryColumn>& columns, const QueryRow& row,
                         const TextStyle& style, bool cite) {
  size_t width = 0;
  for (const QueryColumn& column : columns) width = std::max(width, column.name.size());
  FieldValues values = ValuesOf(row);
  std::string record;
  const auto add = [&](const std::string& column, const std::string& text) {
    if (text.empty()) return;
    const std::string name = EscapeLine(column);
    if (text.find('\n') != text.npos) {
      record += style.Bold(name) + "\n" + Indented(text, style);
    } else {
      const size_t gap = width - std::min(width, name.size()) + 2;
      record += style.Bold(name) + std::string(gap, ' ') + EscapeLine(text) + "\n";
    }
  };
  for (const QueryColumn& column : columns) add(column.name, CellText(column, row, values));
  if (cite) add(kCite, CitationOf(row));
  return record;
}

}  // namespace recall
