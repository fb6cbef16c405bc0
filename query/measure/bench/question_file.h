#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// The lines of a file ("-": standard input) without the white space around them; empty ones are
// passed over. Errors: those of InputFile; InvalidArgument, with the line, for one that is not
// text; LimitExceeded for a line over 1 MiB; InvalidArgument when there is none.
Result<std::vector<std::string>> ReadQuestionFile(const std::string& path,
                                                  const std::atomic<bool>& cancel);

}  // namespace recall
