#include "cli/server/serve/http_errors.h"

#include <algorithm>

#include "cli/server/http/error_response.h"

namespace recall {

HttpResponse HttpError(int status, const std::string& code, const std::string& message,
                       const std::string& hint) {
  const auto all = AllErrorCodes();
  const auto info = std::ranges::find(all, code, &ErrorCodeInfo::name);
  const ExitCode exit = info == all.end() ? ExitCode::kEnvironment : info->exit;
  return ErrorResponse(status, code, static_cast<int>(exit), message, hint);
}

int HttpStatusOf(ExitCode exit) {
  switch (exit) {
    case ExitCode::kDone:
      return 200;
    case ExitCode::kAbsent:
      return 404;
    case ExitCode::kUsage:
      return 400;
    case ExitCode::kBusy:
      return 503;
    case ExitCode::kInterrupted:
      return 499;
    case ExitCode::kEnvironment:
    case ExitCode::kCorrupt:
      break;
  }
  return 500;
}

}  // namespace recall
