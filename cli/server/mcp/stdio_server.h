#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "cli/server/mcp/service.h"
#include "storage/base/status.h"

namespace recall {

struct StdioServerOptions {
  int in = 0;  // descriptors; each message is a line
  int out = 1;
  size_t workers = 4;  // requests that are answered at a time
};

// Serves MCP until the input ends, then answers the requests that were read. Requests are answered
// on `workers` threads, so answers may overtake each other. `initialize`, `ping` and
// `notifications/cancelled` are answered at once, in order. A cancelled request gets no answer.
// Lines that are too long are skipped, with an error; while 64 MiB of requests wait, no more are
// read. `make_service` is called for each thread, by the calling thread. Errors: IoError if the
// input or output fails, but not if the client closes the output.
Status ServeStdio(const std::function<std::unique_ptr<McpService>()>& make_service,
                  const StdioServerOptions& options = {});

}  // namespace recall
