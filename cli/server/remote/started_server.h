#pragma once

#include <string>

namespace recall {

// Starts `recall serve` of a store, which ends after ten minutes without a request, and does not
// wait for it. The server has no terminal, descriptor or signal mask of this process, and a session
// of its own, so it outlives it. Does nothing if this was done for the store within the last ten
// seconds, by any process, or if it cannot be done: the caller does its work itself in any case.
// `key`: KeyOfStore(store), whose link the server makes when it listens.
void StartServer(const std::string& store, const std::string& key);

}  // namespace recall
