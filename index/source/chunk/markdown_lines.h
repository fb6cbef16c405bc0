#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace recall {

// Classifies single lines of Markdown without their context. Lines come without '\n'.

// Longer titles are cut, because every chunk of a section contains them.
inline constexpr size_t kMaxTitleBytes = 200;

struct AtxHeading {
  int level;               // 1 to 6
  std::string_view title;  // without the number signs around it
};
std::optional<AtxHeading> ParseAtxHeading(std::string_view line);

// The heading level that an underline gives to the paragraph above it: 1 for "===", 2 for "---"; 0
// for other lines.
int SetextLevel(std::string_view line);

struct Fence {
  char mark;      // '`' or '~'
  size_t length;  // number of marks
  bool in_list;   // indented as part of a list item, which ends it too
};
// Inside list items, fences may be indented by any amount and may follow the item's marker.
std::optional<Fence> OpenFence(std::string_view line, bool in_list);
bool ClosesFence(std::string_view line, const Fence& fence);

// Bytes of indentation, list marker ("-", "1.") and the white space after it; 0 when none.
size_t ListMarkerLength(std::string_view line);

bool IsThematicBreak(std::string_view line);  // "---", "* * *"

// The end marker of an HTML block with arbitrary content (comment, script, style, pre) that the
// line opens and does not close; empty if it opens none.
std::string_view OpenHtml(std::string_view line);

// Whether a line, given without indentation, cannot start a paragraph: quotes, tables and HTML.
bool StartsOtherBlock(std::string_view line);

// The title on one line, white space collapsed, at most kMaxTitleBytes.
std::string TidyTitle(std::string_view title);

}  // namespace recall
