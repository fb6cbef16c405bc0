#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace recall {

// What one line of Markdown is by its own looks. Lines come without '\n'.

// Longer titles are cut: every chunk of a section carries them.
inline constexpr size_t kMaxTitleBytes = 200;

struct AtxHeading {
  int level;               // 1 to 6
  std::string_view title;  // without the number signs around it
};
std::optional<AtxHeading> ParseAtxHeading(std::string_view line);

// 1 for "===", 2 for "---": the level of the paragraph above as a heading; 0 for other lines.
int SetextLevel(std::string_view line);

struct Fence {
  char mark;      // '`' or '~'
  size_t length;  // of the run of marks
  bool in_list;   // indented as part of a list item, which ends it too
};
// Fences inside list items may be indented any deep and follow the item's marker.
std::optional<Fence> OpenFence(std::string_view line, bool in_list);
bool ClosesFence(std::string_view line, const Fence& fence);

// Bytes of indentation, list marker ("-", "1.") and the white space after it; 0 when none.
size_t ListMarkerLength(std::string_view line);

bool IsThematicBreak(std::string_view line);  // "---", "* * *"

// What ends the HTML block with arbitrary content (comment, script, style, pre) that the line
// opens and does not end itself; empty when it opens none.
std::string_view OpenHtml(std::string_view line);

// True for lines, without indentation, that are not the start of a paragraph: quotes, tables
// and HTML.
bool StartsOtherBlock(std::string_view line);

// The title on one line, white space collapsed, at most kMaxTitleBytes.
std::string TidyTitle(std::string_view title);

}  // namespace recall
