#pragma once

// What of source code is a comment, a literal or a keyword.

#include <string_view>
#include <vector>

#include "cli/show/browse/screen_rows.h"

namespace recall {

// The comments, literals and keywords of a text in the language that the name of its file tells:
// ascending, disjoint. None for an unknown language. The text begins outside of all of them.
std::vector<PaintedRange> PaintSource(std::string_view text, std::string_view path);

}  // namespace recall
