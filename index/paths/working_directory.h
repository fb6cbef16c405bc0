#pragma once

#include <string_view>

#include "storage/base/status.h"

namespace recall {

// Checks that `path` denotes a place: it is absolute, or there is a working directory. A process
// may outlive its working directory, and a relative path then has no meaning. Errors: IoError.
Status CheckHasPlace(std::string_view path);

}  // namespace recall
