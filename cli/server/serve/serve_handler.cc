#include "cli/server/serve/serve_handler.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cli/server/http/body_file.h"
#include "cli/server/http/cancel_when_gone.h"
#include "cli/server/mcp/json_rpc.h"
#include "cli/server/serve/command_request.h"
#include "cli/server/serve/http_errors.h"
#include "cli/server/serve/openapi.h"
#include "cli/server/serve/request_terms.h"
#include "cli/server/tools/allowed_paths.h"
#include "cli/server/web/page.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

constexpr std::string_view kCommandPath = "/v1/";
constexpr std::string_view kStoreHeader = "x-recall-store";

// What GET answers; /livez is answered without a worker (request_terms.h).
constexpr std::array<std::string_view, 7> kGetPaths = {
    "/livez", "/readyz", "/version", "/metrics", "/openapi.json", "/v1/stores", "/v1/events"};

HttpResponse WrongMethod(const std::string& allowed) {
  HttpResponse response = HttpError(405, "invalid_argument", "use " + allowed, "");
  response.headers.emplace_back("Allow", allowed);
  return response;
}

HttpResponse NotFound(const std::string& path) {
  return HttpError(404, "not_found", "there is no " + path, "GET /openapi.json lists all routes");
}

HttpResponse Plain(std::string text) {
  return {.status = 200, .content_type = "text/plain; charset=utf-8", .body = std::move(text)};
}

// Passes an answer on, and counts it.
class CountedReply final : public HttpReply {
 public:
  CountedReply(std::shared_ptr<HttpReply> reply, ServerMetrics* metrics, std::string_view route)
      : reply_(std::move(reply)), metrics_(metrics), route_(route), began_(SteadyMicros()) {}

  void Send(HttpResponse response) override {
    metrics_->CountRequest(route_, response.status, SteadyMicros() - began_);
    reply_->Send(std::move(response));
  }
  void BeginEvents() override { reply_->BeginEvents(); }
  void Event(const std::vector<std::string>& lines) override { reply_->Event(lines); }
  void EndEvents() override {
    metrics_->CountRequest(route_, 200, SteadyMicros() - began_);
    reply_->EndEvents();
  }
  bool client_is_gone() const override { return reply_->client_is_gone(); }
  void WhenClientGoes(std::function<void()> action) override {
    reply_->WhenClientGoes(std::move(action));
  }

 private:
  const std::shared_ptr<HttpReply> reply_;
  ServerMetrics* const metrics_;
  const std::string_view route_;
  const int64_t began_;
};

// Makes the paths of files, which follow "--", absolute ones below --root. Returns: the response to
// a request for others.
std::optional<HttpResponse> RestrictPaths(const std::string& root, std::vector<std::string>& args) {
  const auto words = std::ranges::find(args, "--") + 1;
  auto paths = PathsBelow(root, {words, args.end()});
  if (!paths) {
    const ToolFault& fault = paths.error();
    return HttpError(400, fault.code, fault.message, fault.hint);
  }
  std::ranges::move(*paths, words);
  return std::nullopt;
}

std::string ServerOfStore(const std::string& name) {
  return "the server of the store '" + name + "'";
}

// A server did not answer, or is not asked because it did not answer lately.
HttpResponse Unreachable(HttpResponse response, int64_t micros) {
  response.status = 503;
  const int64_t seconds = std::max<int64_t>((micros + 999'999) / 1'000'000, 1);
  response.headers.emplace_back("Retry-After", std::to_string(seconds));
  return response;
}

// The counts of a store, as the cheapest command tells them. Returns: nothing if it cannot be read.
std::optional<StoreFigures> FiguresOf(CommandRunner& runner, const std::string& name) {
  runner.Renew();
  const CommandOutput list = runner.Run("ls", {"--json", "-k", "1"});
  const std::optional<Json> answer = list.ok() ? ParseJson(list.text) : std::nullopt;
  if (!answer) return std::nullopt;
  const Json& stats = JsonMember(*answer, "stats");
  StoreFigures figures{name, stats.value("doc_count", int64_t{0}),
                       stats.value("chunk_count", int64_t{0}), std::nullopt};
  if (stats.contains("db_size_bytes")) figures.bytes = stats.value("db_size_bytes", int64_t{0});
  return figures;
}

// The names of the views that the settings of a store have; none if the settings are not valid.
Json ViewsOf(CommandRunner& runner) {
  runner.Renew();
  const CommandOutput list = runner.Run("config", {"--json", "--views"});
  const std::optional<Json> answer = list.ok() ? ParseJson(list.text) : std::nullopt;
  Json names = Json::array();
  if (!answer) return names;
  for (const Json& view : JsonMember(JsonMember(*answer, "config"), "views")) {
    names.push_back(JsonMember(view, "name"));
  }
  return names;
}

}  // namespace

ServeHandler::ServeHandler(ServeOptions options, EventHub* events, ServerMetrics* metrics)
    : options_(std::move(options)),
      events_(events),
      metrics_(metrics),
      openapi_(OpenApiDocument(options_.commands, options_.version)),
      started_(SteadyMicros()) {
  for (const ServedStore& served : options_.stores) {
    Store store;
    store.served = served;
    store.mcp = std::make_unique<McpHttpEndpoint>(
        [&] { return std::make_unique<RecallService>(served.options, served.make_runner(true)); },
        options_.workers);
    for (size_t i = 0; i < options_.workers; ++i) {
      store.runners.push_back(served.make_runner(true));
      store.own_runners.push_back(served.make_runner(false));
    }
    stores_.push_back(std::move(store));
  }
}

std::optional<HttpResponse> ServeHandler::Refuse(const HttpHead& head) {
  return RefuseForeign(head, options_.guard);
}

HttpTerms ServeHandler::TermsOf(const HttpHead& head) {
  const ServedCommand* const command = head.path.starts_with(kCommandPath)
                                           ? FindServed(head.path.substr(kCommandPath.size()))
                                           : nullptr;
  HttpTerms terms = ServeTermsOf(head, command && command->writes);
  terms.waits_for = ServerOf(head);
  if (terms.answer) metrics_->CountRequest(RouteName(head), terms.answer->status, 0);
  return terms;
}

void ServeHandler::Stopping() {
  stopping_ = true;
  events_->Stop();
}

const ServedCommand* ServeHandler::FindServed(std::string_view name) const {
  const auto found = std::ranges::find(options_.commands, name, &ServedCommand::name);
  return found == options_.commands.end() ? nullptr : &*found;
}

std::string_view ServeHandler::RouteName(const HttpHead& head) const {
  const std::string_view path = head.path;
  if (path == "/mcp") return "mcp";
  if (IsPagePath(path)) return "page";
  const auto route = std::ranges::find(options_.routes, path, &ServeRoute::path);
  if (route != options_.routes.end()) return route->name;
  if (const auto found = std::ranges::find(kGetPaths, path); found != kGetPaths.end()) {
    return found->substr(found->rfind('/') + 1);
  }
  const ServedCommand* const command =
      path.starts_with(kCommandPath) ? FindServed(path.substr(kCommandPath.size())) : nullptr;
  return command ? command->name : "other";
}

ServeHandler::Store* ServeHandler::StoreOf(const HttpHead& head) {
  const std::string_view name = head.Header(kStoreHeader);
  if (name.empty()) return &stores_.front();
  const auto found =
      std::ranges::find_if(stores_, [&](const Store& store) { return store.served.name == name; });
  return found == stores_.end() ? nullptr : &*found;
}

std::string ServeHandler::ServerOf(const HttpHead& head) {
  const std::string& path = head.path;
  if (path == "/v1/stores" || path == "/metrics") {
    const auto found =
        std::ranges::find_if(stores_, [](const Store& store) { return store.served.on_server; });
    return found == stores_.end() ? "" : ServerOfStore(found->served.name);
  }
  if (const std::string_view key = head.Header(kStoreKeyHeader); !key.empty()) {
    const auto found =
        std::ranges::find_if(stores_, [&](const Store& store) { return store.served.key == key; });
    const bool waits = found != stores_.end() && found->served.on_server;
    return waits ? ServerOfStore(found->served.name) : "";
  }
  const bool asks = (path.starts_with(kCommandPath) && path != "/v1/events") || path == "/mcp" ||
                    path == "/readyz";
  const Store* const store = asks ? StoreOf(head) : nullptr;
  return store && store->served.on_server ? ServerOfStore(store->served.name) : "";
}

void ServeHandler::ObserveServer(Store& store, const CommandOutput& output, int64_t began) const {
  if (!store.served.on_server) return;
  const int64_t now = SteadyMicros();
  const bool failed =
      output.exit == ExitCode::kInterrupted || output.exit == ExitCode::kEnvironment;
  if (!failed) return store.breaker->Close();
  if (now - began >= options_.silence_micros) store.breaker->Open(now);
}

HttpResponse ServeHandler::NoSuchStore(const HttpHead& head) const {
  std::string names;
  for (const Store& store : stores_) names += (names.empty() ? "" : ", ") + store.served.name;
  return HttpError(404, "store_not_found",
                   "there is no store '" + std::string(head.Header(kStoreHeader)) + "'",
                   "X-Recall-Store names one of: " + names);
}

void ServeHandler::Answer(size_t worker, const HttpRequest& request,
                          const std::shared_ptr<HttpReply>& reply) {
  Route(worker, request, std::make_shared<CountedReply>(reply, metrics_, RouteName(request.head)));
}

void ServeHandler::Route(size_t worker, const HttpRequest& request,
                         const std::shared_ptr<HttpReply>& reply) {
  const HttpHead& head = request.head;
  const auto route = std::ranges::find(options_.routes, head.path, &ServeRoute::path);
  if (route != options_.routes.end()) return route->answer(request, reply);
  Store* const store = StoreOf(head);
  if (!store) return reply->Send(NoSuchStore(head));
  if (IsPagePath(head.path)) {
    const bool reads = head.method == "GET" || head.method == "HEAD";
    return reply->Send(reads ? AnswerPage(head) : WrongMethod("GET"));
  }
  if (head.path == "/mcp") return store->mcp->Answer(worker, request, reply);
  if (std::ranges::find(kGetPaths, head.path) != kGetPaths.end()) {
    if (head.method != "GET") return reply->Send(WrongMethod("GET"));
    if (head.path == "/v1/events") {
      return events_->Add(reply, std::string(head.Header("last-event-id")));
    }
    return reply->Send(AnswerAboutServer(worker, *store, head));
  }
  if (!head.path.starts_with(kCommandPath)) return reply->Send(NotFound(head.path));
  reply->Send(RunCommand(worker, *store, request, *reply));
}

tl::expected<std::vector<std::string>, HttpResponse> ServeHandler::ArgsOf(
    const ServedCommand& command, const Store& store, const HttpRequest& request) const {
  if (request.stored) return std::vector<std::string>{"--json", "--jsonl", request.stored->path()};
  auto args = ArgsFromBody(command.entries, request.body);
  if (!args) {
    return tl::unexpected(HttpError(400, "invalid_argument", std::string(args.error().message()),
                                    std::string(args.error().hint())));
  }
  if (command.name == "add" || command.name == "related") {
    if (auto refusal = RestrictPaths(store.served.options.root, *args)) {
      return tl::unexpected(*std::move(refusal));
    }
  }
  args->insert(args->begin(), "--json");
  return *std::move(args);
}

HttpResponse ServeHandler::RunCommand(size_t worker, Store& store, const HttpRequest& request,
                                      HttpReply& reply) {
  const std::string name = request.head.path.substr(kCommandPath.size());
  const ServedCommand* const command = FindServed(name);
  if (!command) return NotFound(request.head.path);
  if (request.head.method != "POST") return WrongMethod("POST");
  auto args = ArgsOf(*command, store, request);
  if (!args) return std::move(args).error();
  if (store.IsSilent()) {
    return Unreachable(HttpError(503, "io_error", ServerOfStore(store.served.name) + " is silent",
                                 "it is asked again in some seconds"),
                       store.breaker->OpenFor(SteadyMicros()));
  }
  CommandRunner& runner = *store.runners[worker];
  runner.Renew();
  const CancelWhenGone cancel(reply, [&runner] { runner.Cancel(); });
  const int64_t began = SteadyMicros();
  const bool anew = request.head.Header("cache-control").find("no-cache") != std::string_view::npos;
  CommandOutput output =
      anew ? runner.RunAnew(name, *std::move(args)) : runner.Run(name, *std::move(args));
  ObserveServer(store, output, began);
  HttpResponse response{.status = HttpStatusOf(output.exit),
                        .content_type = "application/json",
                        .body = std::move(output.text)};
  if (store.served.on_server && !command->writes && output.exit == ExitCode::kEnvironment) {
    return Unreachable(std::move(response), store.breaker->OpenFor(SteadyMicros()));
  }
  if (response.status == 503) response.headers.emplace_back("Retry-After", "1");
  return response;
}

HttpResponse ServeHandler::ListStores(size_t worker) {
  Json stores = Json::array();
  for (const Store& store : stores_) {
    Json views = store.IsSilent() ? Json::array() : ViewsOf(*store.own_runners[worker]);
    stores.push_back({{"name", store.served.name}, {"views", std::move(views)}});
  }
  const Json body = {{"ok", true},
                     {"schema_version", "2"},
                     {"allow_write", stores_.front().served.options.allow_write},
                     {"stores", std::move(stores)}};
  return {.status = 200, .content_type = "application/json", .body = PrintJson(body) + "\n"};
}

HttpResponse ServeHandler::PrintMetrics(size_t worker) {
  std::vector<StoreFigures> figures;
  for (const Store& store : stores_) {
    if (store.IsSilent()) continue;
    if (auto of_store = FiguresOf(*store.own_runners[worker], store.served.name)) {
      figures.push_back(*std::move(of_store));
    }
  }
  return {.status = 200,
          .content_type = "text/plain; version=0.0.4; charset=utf-8",
          .body = metrics_->Print(figures, options_.cache->uses(), SteadyMicros() - started_)};
}

HttpResponse ServeHandler::AnswerAboutServer(size_t worker, Store& store, const HttpHead& head) {
  const std::string& path = head.path;
  if (path == "/openapi.json") {
    return {.status = 200, .content_type = "application/json", .body = openapi_};
  }
  if (path == "/v1/stores") return ListStores(worker);
  if (path == "/metrics") return PrintMetrics(worker);
  if (path == "/readyz" && stopping_) return HttpError(503, "busy", "the server is stopping", "");
  CommandRunner& runner = *store.own_runners[worker];
  runner.Renew();
  const CommandOutput output = path == "/version" ? runner.Run("version", {"--json"})
                                                  : runner.Run("ls", {"--json", "-k", "1"});
  if (output.ok() && path == "/readyz") return Plain("ok\n");
  return {
      .status = output.ok() ? 200 : 503, .content_type = "application/json", .body = output.text};
}

}  // namespace recall
