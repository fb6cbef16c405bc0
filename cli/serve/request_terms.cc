#include "cli/serve/request_terms.h"

namespace recall {

bool HasMediaType(const HttpHead& head, std::string_view type) {
  std::string_view given = head.Header("content-type");
  given = given.substr(0, given.find(';'));
  return given.substr(0, given.find_last_not_of(' ') + 1) == type;
}

bool IsStreamedAdd(const HttpHead& head) {
  return head.method == "POST" && head.path == "/v1/add" &&
         HasMediaType(head, "application/x-ndjson");
}

HttpTerms ServeTermsOf(const HttpHead& head, bool allow_write) {
  HttpTerms terms;
  if (head.path == "/livez" && head.method == "GET") {
    terms.answer = HttpResponse{.status = 200, .content_type = "text/plain", .body = "ok\n"};
  }
  // Whoever waits for a command line sees that it works, and can end it.
  if (head.path == "/cli") terms.limited_time = false;
  if (!allow_write) return terms;
  terms.store_body = IsStreamedAdd(head);
  terms.limited_time = head.path != "/v1/add" && head.path != "/v1/rm";
  return terms;
}

}  // namespace recall
