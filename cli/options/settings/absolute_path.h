#pragma once

#include <string>

#include "storage/base/result.h"

namespace recall {

// The absolute form of `path`, by the working directory, without ".", ".." and a slash at the end.
// "" is the working directory. Errors: IoError if the working directory does not exist any more.
Result<std::string> AbsolutePath(const std::string& path);

}  // namespace recall
