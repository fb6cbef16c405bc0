#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cli/server/http/http_server.h"
#include "cli/server/mcp/client_requests.h"
#include "cli/server/mcp/service.h"

namespace recall {

// MCP over "Streamable HTTP": each message is the body of a POST. A request is answered with JSON,
// or, if notifications come before its result, with a stream of server-sent events that ends with
// it. A request to a legacy client is sent on the stream of the request that caused it, and the
// response of the client is another POST. There are no sessions and no stream of GET. A client
// that closes its connection cancels its request. Thread-safe, with one call at a time for each
// worker.
class McpHttpEndpoint final {
 public:
  // `make_service` is called once for each worker.
  McpHttpEndpoint(const std::function<std::unique_ptr<McpService>()>& make_service, size_t workers);
  void Answer(size_t worker, const HttpRequest& request, const std::shared_ptr<HttpReply>& reply);

 private:
  void AnswerRequest(size_t worker, McpContext context, const RpcMessage& request,
                     const std::shared_ptr<HttpReply>& reply);

  std::vector<std::unique_ptr<McpService>> services_;
  ClientRequests client_requests_;
};

}  // namespace recall
