#pragma once

// The page of `recall serve` for people: one HTML, one style, one script, without data of a store.

#include <string_view>

#include "cli/server/http/http_server.h"

namespace recall {

// Whether this is the path of the page, its style or its script. They need no token.
bool IsPagePath(std::string_view path);

// The answer to GET or HEAD of such a path: the file, or 304 if the client has it already.
HttpResponse AnswerPage(const HttpHead& head);

}  // namespace recall
