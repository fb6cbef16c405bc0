#pragma once

// The page of `recall serve` for people: HTML, a style, and scripts. The files are the same for
// each store; the scripts ask the server for what they show.

#include <string_view>

#include "cli/server/http/http_server.h"

namespace recall {

// Whether this is the path of the page, its style or one of its scripts. They need no token.
bool IsPagePath(std::string_view path);

// The answer to GET or HEAD of such a path: the file, or 304 if the client has it already.
HttpResponse AnswerPage(const HttpHead& head);

}  // namespace recall
