// Serves the fixture of the MCP conformance suite over HTTP until SIGTERM or SIGINT.
//
//   mcp_fixture_server [--port N] [--break FAULT]
//
// The first line of its output is the URL. FAULT is one of FixtureFaults.

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <optional>
#include <string>

#include "cli/server/http/http_server.h"
#include "cli/server/mcp/http_endpoint.h"
#include "cli/server/serve/request_guard.h"
#include "tests/cli/server/mcp/fixture_service.h"

namespace recall {
namespace {

constexpr size_t kWorkers = 4;

HttpServer* the_server = nullptr;

class FixtureHandler final : public HttpHandler {
 public:
  explicit FixtureHandler(const std::shared_ptr<FixtureState>& state)
      : state_(state), endpoint_([state] { return MakeFixtureService(state); }, kWorkers) {}

  std::optional<HttpResponse> Refuse(const HttpHead& head) override {
    if (state_->fault == "no-host-check") return std::nullopt;
    return RefuseForeign(head, {});
  }
  void Answer(size_t worker, const HttpRequest& request,
              const std::shared_ptr<HttpReply>& reply) override {
    if (request.head.path == "/mcp") return endpoint_.Answer(worker, request, reply);
    reply->Send({.status = 404, .body = "{}"});
  }

 private:
  const std::shared_ptr<FixtureState> state_;
  McpHttpEndpoint endpoint_;
};

int Fail(const std::string& why) {
  std::fprintf(stderr, "mcp_fixture_server: %s\n", why.c_str());
  return 1;
}

int Main(int argc, char** argv) {
  HttpServerOptions options;
  options.port = 0;
  options.workers = kWorkers;
  std::string fault;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--port") {
      uint16_t port = 0;
      const auto end = std::from_chars(value.data(), value.data() + value.size(), port);
      if (end.ec != std::errc() || *end.ptr != '\0') return Fail("no port: " + value);
      options.port = port;
    } else if (name == "--break") {
      if (std::ranges::count(FixtureFaults(), value) == 0) return Fail("no fault: " + value);
      fault = value;
    } else {
      return Fail("unknown option " + name);
    }
  }
  FixtureHandler handler(std::make_shared<FixtureState>(fault));
  auto server = HttpServer::Listen(options, &handler);
  if (!server) return Fail(server.error().ToString());
  the_server = server->get();
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { the_server->Stop(); });
  std::printf("http://127.0.0.1:%d/mcp\n", (*server)->port());
  std::fflush(stdout);
  const Status served = (*server)->Run();
  return served.ok() ? 0 : Fail(served.ToString());
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) { return recall::Main(argc, argv); }
