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

// A block with these lines. `made_file`: it says that the file was made for it.
std::string MarkedBlock(std::string_view lines, bool made_file);

// The text with the block at `offset`, which is 0, the beginning of a line, or the end of the text.
std::string WithBlock(std::string_view text, size_t offset, std::string_view block);

struct BlockRemoval {
  std::string text;  // the rest
  bool made_file = false;
};
// Nothing if there is no block. Errors: InvalidArgument if a marker line stands alone.
Result<std::optional<BlockRemoval>> WithoutBlock(std::string_view text);

}  // namespace recall
