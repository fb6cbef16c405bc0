#pragma once

// Reads the tables of Markdown documents that tests compare with the code.

#include <string>
#include <string_view>
#include <vector>

namespace recall {

struct MarkdownRow {
  std::string section;             // the text of the heading above, without '#'
  std::vector<std::string> cells;  // without the spaces around them
};

// The rows of all tables, in order, with their headings and the lines below these.
std::vector<MarkdownRow> RowsOf(std::string_view markdown);

// The texts between backquotes, in order.
std::vector<std::string> QuotedIn(std::string_view text);

}  // namespace recall
