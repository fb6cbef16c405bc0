#include "cli/serve/http_errors.h"

#include "storage/base/json_writer.h"

namespace recall {

HttpResponse HttpError(int status, const std::string& code, const std::string& message,
                       const std::string& hint) {
  HttpResponse response;
  response.status = status;
  JsonWriter json(&response.body);
  json.BeginObject();
  json.Field("ok", false);
  json.Field("schema_version", "2");
  json.Object("error", [&] {
    json.Field("code", code);
    json.Field("message", message);
    json.Field("hint", hint);
  });
  json.EndObject();
  response.body += '\n';
  return response;
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
