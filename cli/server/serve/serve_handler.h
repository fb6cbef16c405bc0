#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/run/execution/answer_cache.h"
#include "cli/server/http/http_server.h"
#include "cli/server/mcp/http_endpoint.h"
#include "cli/server/serve/circuit_breaker.h"
#include "cli/server/serve/event_hub.h"
#include "cli/server/serve/request_guard.h"
#include "cli/server/serve/served_command.h"
#include "cli/server/serve/server_metrics.h"
#include "cli/server/tools/command_runner.h"
#include "cli/server/tools/recall_service.h"
#include "storage/base/clock.h"

namespace recall {

// A store that clients can ask.
struct ServedStore {
  std::string name;              // of the header X-Recall-Store
  RecallServiceOptions options;  // also of /v1: the right to write, and the directory of `add`
  // Makes a runner for a worker: of the commands of clients, which are observed, or of those by
  // which the server looks at the store.
  std::function<std::unique_ptr<CommandRunner>(bool observed)> make_runner;
  bool on_server = false;  // a call waits for another server
  std::string key = {};    // of the header kStoreKeyHeader; "": no command line is about it
};

// A route besides those that the handler knows, for every method.
struct ServeRoute {
  std::string path;
  std::string name;  // for metrics
  std::function<void(const HttpRequest&, const std::shared_ptr<HttpReply>&)> answer;
};

struct ServeOptions {
  size_t workers = 4;
  std::vector<ServedStore> stores;  // at least one; the first one is the default
  std::vector<ServedCommand> commands;
  std::vector<ServeRoute> routes;
  std::shared_ptr<const AnswerCache> cache;  // of the runners, for the metrics
  std::string version;                       // of the program
  GuardOptions guard;
  // After so long a wait in vain, calls of a store on a server fail at once for some seconds.
  int64_t silence_micros = 5'000'000;
};

// Routes requests to MCP, to commands, and to what tells of the server itself.
class ServeHandler final : public HttpHandler {
 public:
  // The hub and the metrics must outlive it.
  ServeHandler(ServeOptions options, EventHub* events, ServerMetrics* metrics);

  std::optional<HttpResponse> Refuse(const HttpHead& head) override;
  HttpTerms TermsOf(const HttpHead& head) override;
  void Answer(size_t worker, const HttpRequest& request,
              const std::shared_ptr<HttpReply>& reply) override;
  void Stopping() override;

 private:
  struct Store {
    ServedStore served;
    std::unique_ptr<McpHttpEndpoint> mcp;
    std::vector<std::unique_ptr<CommandRunner>> runners;      // of each worker
    std::vector<std::unique_ptr<CommandRunner>> own_runners;  // of each worker, not observed
    std::unique_ptr<CircuitBreaker> breaker = std::make_unique<CircuitBreaker>();

    bool IsSilent() const { return served.on_server && breaker->OpenFor(SteadyMicros()) > 0; }
  };

  void Route(size_t worker, const HttpRequest& request, const std::shared_ptr<HttpReply>& reply);
  // The name of the route for metrics.
  std::string_view RouteName(const HttpHead& head) const;
  // The store that a request asks; null if there is none of that name.
  Store* StoreOf(const HttpHead& head);
  HttpResponse RunCommand(size_t worker, Store& store, const HttpRequest& request,
                          HttpReply& reply);
  // What the request waits for, as in HttpTerms.
  std::string ServerOf(const HttpHead& head);
  // Learns from a call that began at this time whether the server of the store answers.
  void ObserveServer(Store& store, const CommandOutput& output, int64_t began) const;
  // The command line that a request means. Errors: the response to a wrong one.
  tl::expected<std::vector<std::string>, HttpResponse> ArgsOf(const ServedCommand& command,
                                                              const Store& store,
                                                              const HttpRequest& request) const;
  HttpResponse AnswerAboutServer(size_t worker, Store& store, const HttpHead& head);
  HttpResponse ListStores(size_t worker);
  HttpResponse PrintMetrics(size_t worker);
  HttpResponse NoSuchStore(const HttpHead& head) const;
  const ServedCommand* FindServed(std::string_view name) const;

  ServeOptions options_;
  EventHub* const events_;
  ServerMetrics* const metrics_;
  std::vector<Store> stores_;
  const std::string openapi_;
  const int64_t started_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace recall
