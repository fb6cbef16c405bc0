#include "cli/show/pages/page_tables.h"

#include "cli/show/html/html.h"

namespace recall {

std::string TextTableHtml(const TextTable& table) {
  if (table.rows.size() < 2) return "";
  std::vector<std::vector<HtmlCell>> cells;
  for (const std::vector<std::string>& row : table.rows) cells.emplace_back(row.begin(), row.end());
  return HtmlTable(cells, table.right);
}

std::string ComparisonSection(const std::string& file, const std::vector<std::string>& notes,
                              const std::string& content) {
  std::string text;
  for (const std::string& note : notes) {
    text += HtmlElement("p", "class=\"note\"", HtmlText(note)) + "\n";
  }
  return HtmlSection("Against an earlier run", file, text + content);
}

}  // namespace recall
