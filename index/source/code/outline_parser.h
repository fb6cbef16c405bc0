#pragma once

#include <optional>
#include <string_view>

#include "index/source/chunk/code_outline.h"

namespace recall {

// The outline of source code, parsed with a grammar that GrammarFor has answered. Returns: nothing
// if this program has no such grammar or no libtree-sitter, for more than kMostOutlineText
// (outline_check.h), after 30 s, and if more than a tenth of the nodes of the syntax tree are
// errors: ERROR and MISSING nodes, and the children of ERROR nodes. Any bytes are allowed; names
// are repaired to UTF-8.
// libtree-sitter 0.20.7 damages memory when an ERROR node gets more than some 65,000 children
// (100,000 open brackets), so text that is not trusted is parsed in a worker only. Deterministic
// but for the time. Thread-safe. Cost: linear in the size of the text, 2 to 15 MB/s; memory some 20
// to 60 times the text.
std::optional<CodeOutline> ParseOutline(std::string_view grammar, std::string_view text);

}  // namespace recall
