#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/commands/commands.h"
#include "cli/commands/service_flags.h"
#include "cli/http/body_file.h"
#include "cli/http/cancel_when_gone.h"
#include "cli/http/http_server.h"
#include "cli/http/socket_activation.h"
#include "cli/mcp/http_endpoint.h"
#include "cli/mcp/json_rpc.h"
#include "cli/output/response.h"
#include "cli/serve/command_request.h"
#include "cli/serve/http_errors.h"
#include "cli/serve/request_guard.h"
#include "cli/serve/request_terms.h"
#include "cli/terminal/signals.h"
#include "cli/tools/allowed_paths.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr size_t kServeWorkers = 4;
constexpr std::string_view kCommandPath = "/v1/";

// The commands that clients may run, and those that need --allow-write.
constexpr std::array<std::string_view, 7> kReading = {"search", "similar", "context", "query",
                                                      "get",    "ls",      "stats"};
constexpr std::array<std::string_view, 2> kWriting = {"add", "rm"};

// Routes requests to MCP, to commands, and to what tells of the server itself.
class ServeHandler final : public HttpHandler {
 public:
  ServeHandler(const Session& session, const RecallServiceOptions& options)
      : options_(options), mcp_([&] { return MakeService(session); }, kServeWorkers) {
    for (size_t i = 0; i < kServeWorkers; ++i) {
      runners_.push_back(ServiceFlags::MakeRunner(session, options));
    }
  }

  void Guard(GuardOptions guard) { guard_ = std::move(guard); }
  void Watch(const HttpServer* server) { server_ = server; }

  std::optional<HttpResponse> Refuse(const HttpHead& head) override {
    return RefuseForeign(head, guard_);
  }

  HttpTerms TermsOf(const HttpHead& head) override {
    return ServeTermsOf(head, options_.allow_write);
  }

  void Answer(size_t worker, const HttpRequest& request,
              const std::shared_ptr<HttpReply>& reply) override {
    const std::string& path = request.head.path;
    if (path == "/mcp") return mcp_.Answer(worker, request, reply);
    reply->Send(path.starts_with(kCommandPath) ? RunCommand(worker, request, *reply)
                                               : AnswerAboutServer(worker, request.head));
  }

 private:
  std::unique_ptr<McpService> MakeService(const Session& session) const {
    return std::make_unique<RecallService>(options_, ServiceFlags::MakeRunner(session, options_));
  }

  static HttpResponse WrongMethod(const std::string& allowed) {
    HttpResponse response = HttpError(405, "invalid_argument", "use " + allowed, "");
    response.headers.emplace_back("Allow", allowed);
    return response;
  }

  static HttpResponse NotFound(const std::string& path) {
    return HttpError(404, "not_found", "there is no " + path,
                     "POST /v1/COMMAND, POST /mcp, GET /livez, /readyz, /version");
  }

  HttpResponse RunCommand(size_t worker, const HttpRequest& request, HttpReply& reply) {
    const std::string name = request.head.path.substr(kCommandPath.size());
    const bool reads = std::ranges::find(kReading, name) != kReading.end();
    const bool writes = options_.allow_write && std::ranges::find(kWriting, name) != kWriting.end();
    if (!reads && !writes) return NotFound(request.head.path);
    if (request.head.method != "POST") return WrongMethod("POST");
    if (request.stored) return Run(worker, name, {"--jsonl", request.stored->path()}, reply);
    auto args = ArgsFromBody(EntriesOf(*FindCommand(name)), request.body);
    if (!args) {
      return HttpError(400, "invalid_argument", std::string(args.error().message()),
                       std::string(args.error().hint()));
    }
    if (name == "add") {
      if (auto refusal = RestrictPaths(*args)) return *std::move(refusal);
    }
    return Run(worker, name, *std::move(args), reply);
  }

  HttpResponse Run(size_t worker, const std::string& name, std::vector<std::string> args,
                   HttpReply& reply) {
    args.insert(args.begin(), "--json");
    CommandRunner& runner = *runners_[worker];
    runner.Renew();
    const CancelWhenGone cancel(reply, [&runner] { runner.Cancel(); });
    CommandOutput output = runner.Run(name, std::move(args));
    HttpResponse response{.status = HttpStatusOf(output.exit),
                          .content_type = "application/json",
                          .body = std::move(output.text)};
    if (response.status == 503) response.headers.emplace_back("Retry-After", "1");
    return response;
  }

  // Makes the paths of `add`, which follow "--", absolute ones below --root. Returns: the response
  // to a request for others.
  std::optional<HttpResponse> RestrictPaths(std::vector<std::string>& args) const {
    const auto words = std::ranges::find(args, "--") + 1;
    auto paths = PathsBelow(options_.root, {words, args.end()});
    if (!paths) {
      const ToolFault& fault = paths.error();
      return HttpError(400, fault.code, fault.message, fault.hint);
    }
    std::ranges::move(*paths, words);
    return std::nullopt;
  }

  HttpResponse AnswerAboutServer(size_t worker, const HttpHead& head) {
    const std::string& path = head.path;
    if (path != "/livez" && path != "/readyz" && path != "/version") return NotFound(path);
    if (head.method != "GET") return WrongMethod("GET");
    if (path == "/livez") return {.status = 200, .content_type = "text/plain", .body = "ok\n"};
    if (path == "/readyz" && server_->stopping()) {
      return HttpError(503, "busy", "the server is stopping", "");
    }
    CommandRunner& runner = *runners_[worker];
    runner.Renew();
    const CommandOutput output = path == "/version" ? runner.Run("version", {"--json"})
                                                    : runner.Run("ls", {"--json", "-k", "1"});
    if (output.ok() && path == "/readyz") {
      return {.status = 200, .content_type = "text/plain", .body = "ok\n"};
    }
    return {
        .status = output.ok() ? 200 : 503, .content_type = "application/json", .body = output.text};
  }

  const RecallServiceOptions options_;
  McpHttpEndpoint mcp_;
  std::vector<std::unique_ptr<CommandRunner>> runners_;
  GuardOptions guard_;
  const HttpServer* server_ = nullptr;
};

// The token in a file that only its owner can read.
Result<std::string> ReadToken(const std::string& path) {
  std::error_code error;
  const fs::perms permissions = fs::status(path, error).permissions();
  if (error) return Fail(Status::NotFound("--token-file: cannot read '" + path + "'"));
  if ((permissions & (fs::perms::group_all | fs::perms::others_all)) != fs::perms::none) {
    return Fail(Status::InvalidArgument("--token-file: others may read or write '" + path + "'",
                                        "chmod 600 " + path));
  }
  std::ifstream file(path);
  std::string token;
  std::getline(file, token);
  if (token.size() < 16) {
    return Fail(Status::InvalidArgument("--token-file: the token has fewer than 16 characters",
                                        "for example: openssl rand -hex 16 > " + path));
  }
  return token;
}

class ServeCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kNone; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Number("--http", &port_, 0, 65535,
                 "also listen on this port of localhost; 0: any free one");
    flags.Text("--socket", &socket_, "PATH",
               "the Unix socket (default: recall/STORE.sock in XDG_RUNTIME_DIR)");
    flags.Text("--token-file", &token_file_, "FILE",
               "requests over TCP must have the token in FILE, which only you may read");
    flags.Duration("--idle", &idle_nanos_,
                   "stop after this time without a request (default: never)");
    flags.Duration("--request-timeout", &request_nanos_,
                   "the most time of a request; 0: no limit (default: 30s)");
    flags.Size("--max-body-size", &max_stored_bytes_,
               "the longest body of add with application/x-ndjson (default: 4GiB)");
    service_.Declare(flags);
  }

  Status Check(const GlobalFlags&) override { return service_.Check(); }

  Result<ExitCode> Run(Session& session) override {
    const RecallServiceOptions options = service_.MakeOptions();
    HttpServerOptions http;
    http.workers = kServeWorkers;
    if (port_) http.port = static_cast<uint16_t>(*port_);
    RECALL_ASSIGN(const std::vector<PassedSocket> passed, TakePassedSockets());
    for (const PassedSocket& socket : passed) http.adopted.push_back(socket.descriptor);
    if (socket_ || passed.empty()) {
      RECALL_ASSIGN(const std::string path, SocketPath(session, options));
      if (!path.empty()) http.socket_paths.push_back(path);
    }
    if (idle_nanos_) http.idle_stop = Milliseconds(*idle_nanos_);
    if (request_nanos_) http.answer_time = Milliseconds(*request_nanos_);
    if (max_stored_bytes_) http.most_stored_bytes = *max_stored_bytes_;
    http.stored_directory = BodyDirectory(session);
    GuardOptions guard;
    if (token_file_) {
      RECALL_ASSIGN(guard.token, ReadToken(*token_file_));
    }
    ServeHandler handler(session, options);
    RECALL_ASSIGN(const auto server, HttpServer::Listen(http, &handler));
    handler.Guard(guard);
    handler.Watch(server.get());
    const InterruptFlag interrupted;
    const InterruptWake wake(server->stop_event());
    Announce(session, server->socket_path(), server->port());
    RECALL_TRY(server->Run());
    return ExitCode::kDone;
  }

 private:
  // The path of the Unix socket; "" if there is none, because TCP is wanted and no directory known.
  Result<std::string> SocketPath(const Session& session,
                                 const RecallServiceOptions& options) const {
    if (socket_) return *socket_;
    const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
    if (runtime == nullptr || *runtime == '\0') {
      if (port_) return std::string();
      return Fail(
          Status::IoError("there is no directory for the socket: XDG_RUNTIME_DIR is not set",
                          "name a socket with --socket, or a port with --http"));
    }
    const CommandOutput stats =
        ServiceFlags::MakeRunner(session, options)->Run("stats", {"--json"});
    const Json answer = Json::parse(stats.text, nullptr, false);
    const std::string uuid = JsonText(JsonMember(answer, "store"), "uuid");
    if (uuid.empty()) {
      const Json& error = JsonMember(answer, "error");
      return Fail(Status::StoreNotFound(JsonText(error, "message"), JsonText(error, "hint")));
    }
    const fs::path directory = fs::path(runtime) / "recall";
    std::error_code error;
    fs::create_directories(directory, error);
    fs::permissions(directory, fs::perms::owner_all, error);
    if (error)
      return Fail(Status::IoError("cannot make " + directory.string() + ": " + error.message()));
    return (directory / (uuid + ".sock")).string();
  }

  static std::chrono::milliseconds Milliseconds(int64_t nanos) {
    return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(nanos));
  }

  // Beside the store, where there must be room for what a body says; without one, in the directory
  // for temporary files.
  static std::string BodyDirectory(const Session& session) {
    std::vector<std::string> warnings;
    if (const auto location = LocateStore(session.locate, &warnings)) {
      return fs::path(location->path).parent_path().string();
    }
    std::error_code error;
    const fs::path temporary = fs::temp_directory_path(error);
    return error ? "/tmp" : temporary.string();
  }

  static void Announce(Session& session, const std::string& socket, uint16_t port) {
    const std::string url = port == 0 ? "" : "http://127.0.0.1:" + std::to_string(port);
    if (session.json()) {
      JsonResponse response;
      response.own_key = "serve";
      response.own = [&](JsonWriter& json) {
        json.FieldOrNull("socket", socket);
        json.FieldOrNull("url", url);
      };
      session.Send(std::move(response));
    } else {
      if (!socket.empty()) session.out->Write("listening on " + EscapeLine(socket) + "\n");
      if (!url.empty()) session.out->Write("listening on " + url + "\n");
    }
    session.out->Flush().IgnoreError();  // whoever started the server need not listen
  }

  std::optional<int64_t> port_;
  std::optional<std::string> socket_;
  std::optional<std::string> token_file_;
  std::optional<int64_t> idle_nanos_;
  std::optional<int64_t> request_nanos_;
  std::optional<uint64_t> max_stored_bytes_;
  ServiceFlags service_;
};

}  // namespace

const CommandInfo kServeCommand = {
    "serve",
    "[OPTIONS]",
    "answer programs and assistants over HTTP: a Unix socket, localhost",
    "  recall serve                               on a Unix socket for your own programs\n"
    "  recall serve --http 7700 --token-file ~/.recall-token\n"
    "  curl --unix-socket \"$XDG_RUNTIME_DIR\"/recall/*.sock http://recall/v1/search \\\n"
    "    --json '{\"query\": \"retry policy\", \"k\": 3}'\n",
    "POST /v1/COMMAND runs search, similar, context, query, get, ls, stats, with --allow-write "
    "also\n"
    "add and rm: a JSON object with the flags as members, answered as with --json. POST /mcp is "
    "the\n"
    "Model Context Protocol. GET /livez, /readyz, /version. SIGTERM ends the server once the\n"
    "requests in flight are answered.\n",
    [] { return std::unique_ptr<Command>(new ServeCommand); }};

}  // namespace recall
