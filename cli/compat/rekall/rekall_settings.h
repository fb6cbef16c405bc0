#pragma once

#include <string>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// The lines of a recall.toml that say what a config.toml of Rekall says: the weights of the parts
// of a search, the review algorithm, the first easiness. A key that has no counterpart becomes a
// comment. Empty if there is no such file. Errors: InvalidArgument, with file and line, if it is
// not TOML; IoError.
Result<std::vector<std::string>> RekallSettings(const std::string& config_path);

// The config.toml beside a database of Rekall, or in its directory.
std::string RekallConfigPath(const std::string& memory_path);

}  // namespace recall
