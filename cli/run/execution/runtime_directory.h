#pragma once

#include <string>

namespace recall {

// The directory for files that need not outlive the login: `recall` in XDG_RUNTIME_DIR, or else
// `recall-UID` in the directory for temporary files, TMPDIR or /tmp. It need not exist, and without
// XDG_RUNTIME_DIR it may be another user's (MakePrivateDirectory).
std::string RuntimeDirectory();

}  // namespace recall
