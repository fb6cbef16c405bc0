#pragma once

#include <string_view>

#include "cli/server/http/http_types.h"

namespace recall {

// Returns: a response with an error as the command line prints it with --json (docs/json.md).
// `code` is its code ("io_error"), and `exit_code` that of a command that fails with it.
HttpResponse ErrorResponse(int status, std::string_view code, int exit_code,
                           std::string_view message, std::string_view hint);

// The server has no room for the request: 503, or 429 if only this client has too many.
HttpResponse BusyResponse(int status, std::string_view message);
// The time for the answer has passed: 504. `waits_for`: HttpTerms::waits_for.
HttpResponse LateResponse(std::string_view waits_for = {});
// The body exceeds its limit: 413.
HttpResponse TooLargeResponse();

}  // namespace recall
