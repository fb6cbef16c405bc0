#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "storage/base/status.h"

namespace recall {

// Checks that a store that was found, and not named, belongs to `user` or to root, or that its
// directory is one of `safe_directories` (the setting: absolute paths, or "*" for all, separated by
// colons). A link to a store must satisfy this as well. Otherwise any user could put a store into a
// directory above the working directory, and read what is added to it. Errors: IoError.
Status CheckOwnerOfFoundStore(const std::string& path, std::string_view safe_directories,
                              uid_t user);

// Checks the value of the setting. Errors: InvalidArgument.
Status CheckSafeDirectories(std::string_view safe_directories);

}  // namespace recall
