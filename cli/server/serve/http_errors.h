#pragma once

#include <string>

#include "cli/server/http/http_server.h"
#include "cli/show/terminal/exit_code.h"

namespace recall {

// Returns: a response with an error as the command line prints it with --json. `code` is a name of
// AllErrorCodes.
HttpResponse HttpError(int status, const std::string& code, const std::string& message,
                       const std::string& hint);

// The status of an answer with this exit code: 200, 404 for absent, 400 for a wrong request, 503
// for busy, 499 for cancelled, else 500.
int HttpStatusOf(ExitCode exit);

}  // namespace recall
