#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

struct ServerTimes {
  std::chrono::milliseconds begin{20};      // until the head of the response is there
  std::chrono::milliseconds whole{10'000};  // until the response has ended
};

// Sends one POST request with a body of JSON to the server at a Unix socket, and waits for its
// response. Only a server of the same user and group is asked. `interrupt`: a descriptor that
// becomes readable when the wait is to end. Returns: the body of a response with status 200.
// Errors: Cancelled if interrupted; IoError otherwise, with the reason.
Result<std::string> AskServer(const std::string& socket_path, std::string_view path,
                              std::string_view body, const ServerTimes& times, int interrupt);

}  // namespace recall
