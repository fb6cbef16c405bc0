#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "storage/base/status.h"

namespace recall {

// The users whose stores `user` uses without naming them: `user`, root, and if `user` is root, the
// user who called sudo. `sudo_uid`: the environment variable SUDO_UID, which may be null; anything
// but a number is ignored. As in git: whoever sets the environment of root is root already.
std::vector<uid_t> TrustedOwners(uid_t user, const char* sudo_uid);

// Checks a store that was found, and not named: anyone may have put it there.
//   - It must belong to one of `owners`, and so must a symbolic link to it. Otherwise any user
//     could put a store into a directory above the working directory, and read what is added to it.
//   - It must lie in its directory or below. A link out of it, in a directory that was cloned or
//     unpacked, could lead to another store of the user.
// A store whose directory is one of `safe_directories` (the setting: absolute paths, or "*" for
// all, separated by colons) needs neither. A file that does not exist passes. Errors: IoError.
Status CheckFoundStore(const std::string& path, std::string_view safe_directories,
                       const std::vector<uid_t>& owners);

// Checks the value of the setting. Errors: InvalidArgument.
Status CheckSafeDirectories(std::string_view safe_directories);

}  // namespace recall
