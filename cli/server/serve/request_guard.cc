#include "cli/server/serve/request_guard.h"

#include <array>

#include "cli/server/serve/http_errors.h"
#include "cli/server/serve/request_terms.h"
#include "cli/server/web/page.h"

namespace recall {
namespace {

constexpr std::array<std::string_view, 3> kLoopbackNames = {"localhost", "127.0.0.1", "[::1]"};

bool IsOurHost(std::string_view host, uint16_t port) {
  for (const std::string_view name : kLoopbackNames) {
    if (host == std::string(name) + ":" + std::to_string(port)) return true;
    if (port == 80 && host == name) return true;
  }
  return false;
}

bool IsOurOrigin(std::string_view origin, uint16_t port) {
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) && IsOurHost(origin.substr(kScheme.size()), port);
}

// Compares without an early end, so that the time tells nothing of the token.
bool AreEqual(std::string_view a, std::string_view b) {
  uint8_t differences = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < b.size(); ++i) {
    differences |= static_cast<uint8_t>((i < a.size() ? a[i] : 0) ^ b[i]);
  }
  return differences == 0;
}

}  // namespace

std::optional<HttpResponse> RefuseForeign(const HttpHead& head, const GuardOptions& options) {
  const std::string_view origin = head.Header("origin");
  if (head.over_tcp) {
    if (!IsOurHost(head.Header("host"), head.port)) {
      return HttpError(403, "invalid_argument", "the host of the request is not this server",
                       "use localhost, 127.0.0.1 or [::1] with the port of the server");
    }
    if (!origin.empty() && !IsOurOrigin(origin, head.port)) {
      return HttpError(403, "invalid_argument", "requests of other origins are refused",
                       "send the request from a program");
    }
  } else if (!origin.empty()) {
    return HttpError(403, "invalid_argument", "requests of other origins are refused",
                     "send the request from a program");
  }
  if (head.method == "POST" && !HasMediaType(head, "application/json") && !IsStreamedAdd(head)) {
    return HttpError(415, "invalid_argument", "the body must be JSON",
                     "send Content-Type: application/json");
  }
  const bool public_path =
      head.path == "/livez" || (head.method != "POST" && IsPagePath(head.path));
  if (!head.over_tcp || options.token.empty() || public_path) return std::nullopt;
  constexpr std::string_view kBearer = "Bearer ";
  std::string_view given = head.Header("authorization");
  given = given.starts_with(kBearer) ? given.substr(kBearer.size()) : std::string_view();
  if (AreEqual(given, options.token)) return std::nullopt;
  HttpResponse response = HttpError(401, "invalid_argument", "the token is missing or wrong",
                                    "send Authorization: Bearer TOKEN");
  response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

}  // namespace recall
