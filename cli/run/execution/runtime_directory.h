#pragma once

#include <string>

namespace recall {

// The directory for files that need not outlive the login: `recall` in XDG_RUNTIME_DIR, or else
// `recall-UID` in the directory for temporary files. Makes it with mode 0700 if there is none.
// Returns: "" if there is no such directory that belongs to this user and to nobody else.
std::string RuntimeDirectory();

}  // namespace recall
