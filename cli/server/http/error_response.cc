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

HttpResponse BusyResponse(int status, std::string_view message) {
  HttpResponse response = ErrorResponse(status, "busy", 5, message, "try again");
  response.headers.emplace_back("Retry-After", "1");
  return response;
}

HttpResponse LateResponse(std::string_view waits_for) {
  std::string message = "the time for the request has passed";
  if (!waits_for.empty()) message.append(", which waits for ").append(waits_for);
  return ErrorResponse(504, "cancelled", 130, message,
                       "ask for less, or start the server with a longer --request-timeout");
}

HttpResponse TooLargeResponse() {
  return ErrorResponse(413, "limit_exceeded", 2, "the body of the request is too large",
                       "send it in parts");
}

}  // namespace recall
