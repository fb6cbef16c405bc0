#pragma once

#include <string>

#include "storage/base/result.h"

namespace recall {

// The size of the largest settings file that is read.
inline constexpr size_t kMaxConfigBytes = size_t{1} << 20;

// Reads a settings file. The null device is an empty one. Never waits. Errors: NotFound;
// InvalidArgument if it is not a regular file or larger than kMaxConfigBytes; IoError.
Result<std::string> ReadConfigText(const std::string& path);

}  // namespace recall
