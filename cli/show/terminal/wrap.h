#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace recall {

// Breaks lines that are wider than `columns` after words; 0 leaves the text as it is. Further rows
// of a line are indented as its text: "  name   text" continues below "text". Rows of Markdown
// tables are left alone. Requires: no escape sequences.
std::string WrapLines(std::string_view text, size_t columns);

}  // namespace recall
