#pragma once

#include <string>

#include "cli/show/output/stdout_stream.h"
#include "storage/base/result.h"

namespace recall {

// What someone who has no store yet can do about it.

// What to type next in `directory`, which has no store, nor has one above it.
std::string FirstSteps(const std::string& directory);

// Asks on the terminal whether a store of the files in `directory` shall be made. The question goes
// to standard error, the answer comes from standard input; only "y" and "yes" mean yes. Returns:
// whether it shall. Errors: Cancelled by Ctrl-C. Requires: no InterruptScope exists.
Result<bool> AskToIndex(const std::string& directory, StdoutStream* out);

}  // namespace recall
