#pragma once

#include <memory>

#include "cli/server/http/http_shared.h"

namespace recall {

// Serves a connection until it is closed. Takes ownership of the descriptor. With `refuse` it
// answers 503 without reading a request. Throws std::bad_alloc after closing the descriptor.
void StartHttpConnection(const std::shared_ptr<HttpShared>& shared, int descriptor,
                         const HttpOrigin& origin, bool refuse);

}  // namespace recall
