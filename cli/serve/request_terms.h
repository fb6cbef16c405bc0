#pragma once

#include <string_view>

#include "cli/http/http_server.h"

namespace recall {

// Whether the body has this media type, whatever its parameters.
bool HasMediaType(const HttpHead& head, std::string_view type);

// Whether the body is the documents of an `add`, one JSON object a line: POST /v1/add with
// application/x-ndjson.
bool IsStreamedAdd(const HttpHead& head);

// How a request is received and answered: long bodies of `add` are stored; `add`, `rm` and command
// lines may last; /livez is answered without a worker. `allow_write`: there are `add` and `rm`.
HttpTerms ServeTermsOf(const HttpHead& head, bool allow_write);

}  // namespace recall
