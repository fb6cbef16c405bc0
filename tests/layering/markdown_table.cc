#include "tests/layering/markdown_table.h"

#include <algorithm>

namespace recall {
namespace {

std::string_view WithoutSpaces(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace

std::vector<MarkdownRow> RowsOf(std::string_view markdown) {
  std::vector<MarkdownRow> rows;
  std::string section;
  while (!markdown.empty()) {
    std::string_view line = markdown.substr(0, markdown.find('\n'));
    markdown.remove_prefix(std::min(line.size() + 1, markdown.size()));
    if (line.starts_with('#')) {
      section = WithoutSpaces(line.substr(line.find_first_not_of('#')));
    }
    if (!line.starts_with('|') || !line.ends_with('|') || line.size() < 2) continue;
    line.remove_prefix(1);
    MarkdownRow row{section, {}};
    while (!line.empty()) {
      const size_t end = line.find('|');
      row.cells.emplace_back(WithoutSpaces(line.substr(0, end)));
      line.remove_prefix(end + 1);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> QuotedIn(std::string_view text) {
  std::vector<std::string> names;
  for (size_t open; (open = text.find('`')) != text.npos;) {
    text.remove_prefix(open + 1);
    const size_t close = std::min(text.find('`'), text.size());
    names.emplace_back(text.substr(0, close));
    text.remove_prefix(std::min(close + 1, text.size()));
  }
  return names;
}

}  // namespace recall
