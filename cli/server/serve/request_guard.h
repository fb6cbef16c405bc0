#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/server/http/http_server.h"

namespace recall {

struct GuardOptions {
  std::string token;  // that requests over TCP must have; "": none is needed
};

// Refuses requests that a web page could have caused, before anything else is looked at: over TCP
// the host must be a loopback name with our port (against DNS rebinding), a page must come from
// there, and a body must be JSON, or lines of JSON for `add`, which no form can send. Then the
// token is compared, in constant time. Returns: the response to a request that is refused.
std::optional<HttpResponse> RefuseForeign(const HttpHead& head, const GuardOptions& options);

}  // namespace recall
