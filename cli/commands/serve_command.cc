#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/commands/commands.h"
#include "cli/commands/service_flags.h"
#include "cli/http/http_server.h"
#include "cli/mcp/http_endpoint.h"
#include "cli/mcp/json_rpc.h"
#include "cli/output/response.h"
#include "cli/remote/published_socket.h"
#include "cli/remote/remote_endpoint.h"
#include "cli/serve/command_request.h"
#include "cli/serve/http_errors.h"
#include "cli/serve/request_guard.h"
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

  // Also answers the command line about this store.
  void AnswerProcesses(const FileIdentity& store) {
    remote_.emplace(std::vector{store}, &FindCommand);
  }
  void Guard(GuardOptions guard) { guard_ = std::move(guard); }
  void Watch(const HttpServer* server) { server_ = server; }

  std::optional<HttpResponse> Refuse(const HttpHead& head) override {
    return RefuseForeign(head, guard_);
  }

  void Answer(size_t worker, const HttpRequest& request,
              const std::shared_ptr<HttpReply>& reply) override {
    const std::string& path = request.head.path;
    if (path == kRemoteCallPath && remote_) return remote_->Answer(request, reply);
    if (path == "/mcp") return mcp_.Answer(worker, request, reply);
    reply->Send(path.starts_with(kCommandPath) ? RunCommand(worker, request)
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

  HttpResponse RunCommand(size_t worker, const HttpRequest& request) {
    const std::string name = request.head.path.substr(kCommandPath.size());
    const bool reads = std::ranges::find(kReading, name) != kReading.end();
    const bool writes = options_.allow_write && std::ranges::find(kWriting, name) != kWriting.end();
    if (!reads && !writes) return NotFound(request.head.path);
    if (request.head.method != "POST") return WrongMethod("POST");
    auto args = ArgsFromBody(EntriesOf(*FindCommand(name)), request.body);
    if (!args) {
      return HttpError(400, "invalid_argument", std::string(args.error().message()),
                       std::string(args.error().hint()));
    }
    if (name == "add") {
      if (auto refusal = RestrictPaths(*args)) return *std::move(refusal);
    }
    args->insert(args->begin(), "--json");
    CommandRunner& runner = *runners_[worker];
    runner.Renew();
    CommandOutput output = runner.Run(name, *std::move(args));
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
  std::optional<RemoteEndpoint> remote_;
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
    service_.Declare(flags);
  }

  Status Check(const GlobalFlags&) override { return service_.Check(); }

  Result<ExitCode> Run(Session& session) override {
    const RecallServiceOptions options = service_.MakeOptions();
    HttpServerOptions http;
    http.workers = kServeWorkers;
    if (port_) http.port = static_cast<uint16_t>(*port_);
    RECALL_ASSIGN(http.socket_path, SocketPath(session, options));
    GuardOptions guard;
    if (token_file_) {
      RECALL_ASSIGN(guard.token, ReadToken(*token_file_));
    }
    ServeHandler handler(session, options);
    RECALL_ASSIGN(const auto server, HttpServer::Listen(http, &handler));
    std::optional<PublishedSocket> published;
    if (const auto store = StoreOfProcesses(session, options); store && !http.socket_path.empty()) {
      handler.AnswerProcesses(*store);
      published.emplace(*store, http.socket_path);
    }
    guard.port = server->port();
    handler.Guard(guard);
    handler.Watch(server.get());
    const InterruptFlag interrupted;
    const InterruptWake wake(server->stop_event());
    Announce(session, http.socket_path, server->port());
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

  // The store about which the command line may ask; none within a scope, which it does not know.
  static std::optional<FileIdentity> StoreOfProcesses(const Session& session,
                                                      const RecallServiceOptions& options) {
    std::vector<std::string> warnings;
    if (!options.scope.empty()) return std::nullopt;
    const Result<StoreLocation> store = LocateStore(session.locate, &warnings);
    return store ? IdentityOfFile(store->path) : std::nullopt;
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
