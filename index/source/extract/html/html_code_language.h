#pragma once

#include <string_view>

#include "index/source/extract/html/html_tree.h"

namespace recall {

// Returns the programming language that the classes of a node name: "language-x", "lang-x",
// "highlight-x", "brush:x"; "" if they name none.
std::string_view CodeLanguage(const HtmlTree& tree, const HtmlNode& node);

// Returns the language that the elements around a `pre` name. Sphinx writes
// div.highlight-python > div.highlight > pre.
std::string_view ParentCodeLanguage(const HtmlTree& tree, int32_t pre);

}  // namespace recall
