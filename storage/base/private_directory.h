#pragma once

#include <string>

namespace recall {

// Makes a directory with mode 0700 unless it is there. Returns: whether it is a directory that
// belongs to this user and to which nobody else has access. Anybody may have made another one, or a
// link, of this name in a directory for temporary files. Thread-safe.
bool MakePrivateDirectory(const std::string& path);

}  // namespace recall
