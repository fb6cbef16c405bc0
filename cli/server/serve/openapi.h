#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/server/serve/served_command.h"

namespace recall {

// Returns: the routes of a server as an OpenAPI 3.1 document. Requests are described by the flags
// of the commands, and answers by the schemas of docs/schema.
std::string OpenApiDocument(const std::vector<ServedCommand>& commands, std::string_view version);

}  // namespace recall
