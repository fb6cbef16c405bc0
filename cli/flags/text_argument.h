#pragma once

#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// What an argument stands for: "@FILE" is that file's text, "@-" standard input, everything else
// itself. `name` is what the user calls it ("--filter"). A byte order mark is left out.
// Errors: InvalidArgument when the file cannot be read or what is read exceeds 1 MiB.
Result<std::string> ReadTextArgument(const std::string& argument, std::string_view name);

// All of standard input, at most 1 MiB. `name` is what it is taken for ("the query").
Result<std::string> ReadStandardInput(std::string_view name);

}  // namespace recall
