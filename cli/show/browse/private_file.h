#pragma once

// Files in the directory of the user's state that nobody else reads.

#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// $XDG_STATE_HOME/recall, else ~/.local/state/recall; "" without a home.
std::string StateDirectory();

// Writes a file whole or not at all, and its directories if necessary, readable by their owner
// alone. Errors: IoError.
Status WritePrivateFile(const std::string& path, std::string_view text);

// The bytes of a regular file. Errors: NotFound; IoError.
Result<std::string> ReadPrivateFile(const std::string& path);

}  // namespace recall
