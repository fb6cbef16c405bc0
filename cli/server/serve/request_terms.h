#pragma once

#include <string_view>

#include "cli/server/http/http_server.h"

namespace recall {

// The header by which a command line says which store it is about (KeyOfStore), before its body is
// read.
inline constexpr std::string_view kStoreKeyHeader = "x-recall-store-key";

// Whether the body has this media type, whatever its parameters.
bool HasMediaType(const HttpHead& head, std::string_view type);

// Whether the body is the documents of an `add`, one JSON object a line: POST /v1/add with
// application/x-ndjson.
bool IsStreamedAdd(const HttpHead& head);

// How a request is received and answered: long bodies of `add` are stored; commands that write and
// command lines may last; /livez is answered without a worker. `writes`: the request is for a
// command that writes, and it exists.
HttpTerms ServeTermsOf(const HttpHead& head, bool writes);

}  // namespace recall
