#pragma once

#include <string>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// Translates a config.toml of Rekall to lines of a recall.toml: the weights of the parts of a
// search, the review algorithm, the first easiness. A key that has no counterpart becomes a
// comment. Returns: "" if there is no such file. Errors: InvalidArgument, with file and line, if it
// is not TOML; IoError.
Result<std::vector<std::string>> RekallSettings(const std::string& config_path);

// Returns: the path of the config.toml beside a database of Rekall, or in a directory of Rekall.
std::string RekallConfigPath(const std::string& memory_path);

}  // namespace recall
