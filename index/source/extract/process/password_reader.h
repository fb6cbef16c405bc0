#pragma once

#include <string>
#include <vector>

#include "index/source/extract/types/password_source.h"
#include "storage/base/result.h"

namespace recall {

// Reads the passwords of a file. Errors: IoError, NotFound; InvalidArgument for one that has none,
// more than 1,000, or more than 1 MiB.
Result<std::vector<std::string>> ReadPasswordFile(const std::string& path);

// Reads all passwords of a source, which may start its program. Errors: as above, and of the
// program; they contain nothing of what it prints.
Result<std::vector<std::string>> ReadPasswords(const PasswordSource& source);

}  // namespace recall
