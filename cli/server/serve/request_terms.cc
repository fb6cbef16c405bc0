#include "cli/server/serve/request_terms.h"

#include <algorithm>

namespace recall {

bool HasMediaType(const HttpHead& head, std::string_view type) {
  std::string_view given = head.Header("content-type");
  given = given.substr(0, given.find(';'));
  given = given.substr(0, given.find_last_not_of(" \t") + 1);
  return std::ranges::equal(given, type, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

bool IsStreamedAdd(const HttpHead& head) {
  return head.method == "POST" && head.path == "/v1/add" &&
         HasMediaType(head, "application/x-ndjson");
}

HttpTerms ServeTermsOf(const HttpHead& head, bool writes) {
  HttpTerms terms;
  if (head.path == "/livez" && head.method == "GET") {
    terms.answer = HttpResponse{.status = 200, .content_type = "text/plain", .body = "ok\n"};
  }
  // Whoever waits for a command line sees that it works, and can end it.
  terms.limited_time = !writes && head.path != "/cli";
  terms.store_body = writes && IsStreamedAdd(head);
  return terms;
}

}  // namespace recall
