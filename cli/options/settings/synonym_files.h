#pragma once

#include <string>

#include "cli/options/settings/config_value.h"
#include "storage/base/status.h"

namespace recall {

// Replaces each line "@FILE" of the setting `synonyms` by the lines of the file, which lies beside
// the settings file `config_path` or below its directory. `origin` says where the setting is.
// Errors: InvalidArgument if the name leads elsewhere, or the file is missing, cannot be read, is
// larger than 1 MiB or no regular file.
Status ReadSynonymFiles(const std::string& config_path, const std::string& origin,
                        ConfigValue& groups);

}  // namespace recall
