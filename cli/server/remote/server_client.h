#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

struct ServerTimes {
  std::chrono::milliseconds begin{20};  // until the head of the response is there
  // Between looks at a server that has begun: the wait goes on as long as its process runs and is
  // not stopped.
  std::chrono::milliseconds look{5'000};
};

// Sends one POST request with a body of JSON, about the store with this key (KeyOfStore), to the
// server at a Unix socket, and waits for its response. Only a server of the same user and group is
// asked. `interrupt`: a descriptor that becomes readable when the wait is to end. Returns: the body
// of a response with status 200. Errors: NotFound if none listens; Cancelled if interrupted;
// otherwise another one with the reason.
Result<std::string> AskServer(const std::string& socket_path, std::string_view path,
                              std::string_view key, std::string_view body, const ServerTimes& times,
                              int interrupt);

}  // namespace recall
