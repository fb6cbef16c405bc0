#pragma once

// The lines of source code that only import or include other files. They name what a file uses, so
// they match many questions and answer none.

#include <cstddef>
#include <string_view>
#include <vector>

namespace recall {

// A part of a text.
struct LineSpan {
  size_t begin = 0;
  size_t end = 0;  // exclusive; past the end of the last line
  bool operator==(const LineSpan&) const = default;
};

// The lines of `text` that only import: #include, import, from ... import, use, using, require,
// package, and the blocks of imports in brackets that Go, Python and JavaScript have. As maximal
// runs, in ascending order; blank lines between them belong to a run. Linear.
std::vector<LineSpan> FindImports(std::string_view text);

// Whether import lines are at least half of the bytes of a text; white space does not count.
bool IsMostlyImports(std::string_view text);

}  // namespace recall
