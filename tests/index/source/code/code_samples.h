#pragma once

#include <string_view>

namespace recall {

// A source file with its definitions, one a line: `kind name first-code-last parent`, with the
// lines (from 1) of the comments, of the code, and of the end.
struct CodeSample {
  std::string_view language;  // of the grammar
  std::string_view path;
  std::string_view text;
  std::string_view definitions;
};

}  // namespace recall
