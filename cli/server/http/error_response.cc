#include "cli/server/http/error_response.h"

#include "storage/base/json_writer.h"

namespace recall {

HttpResponse ErrorResponse(int status, std::string_view code, int exit_code,
                           std::string_view message, std::string_view hint) {
  HttpResponse response;
  response.status = status;
  JsonWriter json(&response.body);
  json.BeginObject();
  json.Field("ok", false);
  json.Field("schema_version", "2");
  json.Object("error", [&] {
    json.Field("code", code);
    json.Field("message", message);
    json.Object("details", [&] { json.Field("exit_code", exit_code); });
    json.Field("hint", hint);
  });
  json.EndObject();
  response.body += '\n';
  return response;
}

}  // namespace recall
