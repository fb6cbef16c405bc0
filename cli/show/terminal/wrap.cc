#include "cli/show/terminal/wrap.h"

#include <algorithm>

#include "cli/show/terminal/terminal.h"

namespace recall {
namespace {

constexpr size_t kLeastColumns = 20;

size_t LeadingSpaces(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// The column at which further rows of a line begin: that of its text, after a name and two or more
// spaces, unless this would leave less than a third of the window.
size_t HangingIndent(std::string_view line, size_t columns) {
  const size_t lead = LeadingSpaces(line);
  const size_t gap = line.find("  ", lead);
  if (gap != line.npos) {
    const size_t text = line.find_first_not_of(' ', gap);
    if (text != line.npos && 3 * text <= 2 * columns) return text;
  }
  return std::min(lead, columns / 2);
}

// Returns: the end of the first row: after the last word that fits behind `indent`, or within a
// word that is longer than the row.
size_t RowEnd(std::string_view line, size_t indent, size_t columns) {
  size_t end = 0;
  size_t after_word = 0;
  while (end < line.size()) {
    size_t next = end + 1;
    while (next < line.size() && (static_cast<uint8_t>(line[next]) & 0xC0) == 0x80) ++next;
    if (DisplayColumns(line.substr(0, next)) + indent > columns) break;
    if (next == line.size() || line[next] == ' ') after_word = next;
    end = next;
  }
  if (end == line.size()) return end;
  return after_word > indent ? after_word : std::max<size_t>(end, 1);
}

void AddLine(std::string_view line, size_t columns, std::string& out) {
  if (line.starts_with("|") || DisplayColumns(line) <= columns) {
    out += line;
    return;
  }
  const size_t hanging = HangingIndent(line, columns);
  size_t indent = 0;
  while (true) {
    const size_t end = RowEnd(line, indent, columns);
    out += std::string(indent, ' ');
    out += line.substr(0, end);
    line.remove_prefix(end);
    line.remove_prefix(LeadingSpaces(line));
    if (line.empty()) return;
    out += '\n';
    indent = hanging;
  }
}

}  // namespace

std::string WrapLines(std::string_view text, size_t columns) {
  if (columns < kLeastColumns) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    AddLine(text.substr(0, end), columns, out);
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace recall
