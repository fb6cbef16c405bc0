#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// Reads the lines of a file ("-": standard input), trimmed, without empty lines. Errors: those of
// InputFile; InvalidArgument, with the line, if it is not UTF-8 text; LimitExceeded for a line over
// 1 MiB, or for more than 64 MiB of questions; InvalidArgument if no line remains.
Result<std::vector<std::string>> ReadQuestionFile(const std::string& path,
                                                  const std::atomic<bool>& cancel);

}  // namespace recall
