#pragma once

// HTML as text. Every function returns text that is also well-formed XML, so that a page can be
// read by any parser.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recall {

// Escapes untrusted text for content and quoted attributes. Control characters, characters that
// reorder text and newlines become visible escapes, as on a terminal; bytes that are not UTF-8, and
// characters that XML does not allow, become U+FFFD.
std::string HtmlText(std::string_view text);

// Returns: <name attributes>content</name>, or <name attributes/> without content. `attributes` and
// `content` are HTML: "" or "class=\"bar\"".
std::string HtmlElement(std::string_view name, std::string_view attributes,
                        std::string_view content = {});

// A cell of a table: text, which is escaped, and the share that a bar behind it shows.
struct HtmlCell {
  HtmlCell(std::string shown) : text(std::move(shown)) {}  // NOLINT: a cell is mostly its text
  HtmlCell(const char* shown) : text(shown) {}             // NOLINT
  HtmlCell(std::string shown, double part, size_t of_series)
      : text(std::move(shown)), share(part), series(of_series) {}

  std::string text;
  double share = -1;  // in [0, 1]; below 0: no bar
  size_t series = 0;  // the colour of the bar
};

// Returns: a table whose first row contains the headings. Columns with true in `right` are
// right-aligned. Requires: every row has as many cells as the first.
std::string HtmlTable(const std::vector<std::vector<HtmlCell>>& rows,
                      const std::vector<bool>& right);

// Returns: a section with a heading and an optional note below it, which are text.
std::string HtmlSection(std::string_view heading, std::string_view note, std::string_view content);

// Returns: a complete page. It has no script and refers to nothing, follows the colour scheme of
// the reader, and defines the classes that charts.h uses. `title` and `facts` are text; `body` is
// HTML.
std::string HtmlPage(std::string_view title, const std::vector<std::string>& facts,
                     std::string_view body);

// The number of colours for series; further series begin again with the first.
inline constexpr size_t kSeriesColors = 9;
// Returns: the class that colours a mark of this series: "c0" to "c8".
std::string SeriesClass(size_t series);

}  // namespace recall
