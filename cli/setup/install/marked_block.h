#pragma once

// Lines of ours in a file of somebody else, between two marker lines:
//
//   # >>> recall install git >>>
//   ...
//   # <<< recall install git <<<
//
// Putting them in and taking them out again gives the bytes of before.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

struct BlockMarks {
  std::string_view begin;  // whole lines
  std::string_view end;
};

inline constexpr BlockMarks kGitMarks = {"# >>> recall install git >>>",
                                         "# <<< recall install git <<<"};
// Comments of Markdown, which are not shown.
inline constexpr BlockMarks kMarkdownMarks = {"<!-- >>> recall install >>> -->",
                                              "<!-- <<< recall install <<< -->"};

// A block with these lines. `made_file`: it says that the file was made for it, in a comment of a
// shell.
std::string MarkedBlock(std::string_view lines, bool made_file,
                        const BlockMarks& marks = kGitMarks);

// The text with the block at `offset`, which is 0, the beginning of a line, or the end of the text.
std::string WithBlock(std::string_view text, size_t offset, std::string_view block);

struct BlockRemoval {
  std::string text;   // the rest
  std::string lines;  // of the first block
  bool made_file = false;
};
// Nothing if there is no block. Errors: InvalidArgument if a marker line stands alone.
Result<std::optional<BlockRemoval>> WithoutBlock(std::string_view text,
                                                 const BlockMarks& marks = kGitMarks);

// The text with other lines in its first block. Requires: WithoutBlock found one.
std::string WithLinesOfBlock(std::string_view text, std::string_view lines,
                             const BlockMarks& marks);

}  // namespace recall
