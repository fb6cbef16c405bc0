#pragma once

#include <string_view>

#include "cli/server/http/http_types.h"

namespace recall {

// Returns: a response with an error as the command line prints it with --json (docs/json.md).
// `code` and `exit_code`: of the same error.
HttpResponse ErrorResponse(int status, std::string_view code, int exit_code,
                           std::string_view message, std::string_view hint);

}  // namespace recall
