#pragma once

#include <string_view>

#include "index/source/chunk/code_outline.h"
#include "index/source/code/tree_sitter_library.h"

namespace recall {

// A text of source code: as it was parsed, and as it is. Both have the same size; in the first,
// what the grammar has no place for is replaced by spaces.
struct WalkedText {
  std::string_view parsed;
  std::string_view source;
};

// Collects the outline of a syntax tree, but for the name of its grammar. Returns: false if more
// than a tenth of the tree are errors. Linear in the number of nodes.
bool WalkTree(const TreeSitterLibrary& ts, const TSLanguage* language,
              std::string_view language_name, const WalkedText& text, TSNode root,
              CodeOutline* outline);

}  // namespace recall
