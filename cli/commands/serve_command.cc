#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <list>

#include "cli/commands/add_flags.h"
#include "cli/commands/commands.h"
#include "cli/commands/service_flags.h"
#include "cli/run/execution/open_store.h"
#include "cli/server/http/http_server.h"
#include "cli/server/http/socket_activation.h"
#include "cli/server/mcp/json_rpc.h"
#include "cli/server/remote/advertised_socket.h"
#include "cli/server/remote/remote_endpoint.h"
#include "cli/server/serve/commit_watch.h"
#include "cli/server/serve/serve_handler.h"
#include "cli/server/web/open_page.h"
#include "cli/setup/watch/watch_thread.h"
#include "cli/show/output/progress.h"
#include "cli/show/output/response.h"
#include "cli/show/terminal/signals.h"
#include "query/maintenance/build_info.h"
#include "storage/base/own_process.h"
#include "storage/base/random.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr size_t kServeWorkers = 4;

// The commands that clients may run, and those that need --allow-write.
constexpr std::array<std::string_view, 14> kReading = {
    "search", "sessions", "similar", "context", "query", "grep",  "symbols",
    "map",    "related",  "get",     "ls",      "stats", "links", "stale"};
constexpr std::array<std::string_view, 11> kWriting = {"add",    "rm",     "compact", "embed",
                                                       "save",   "link",   "unlink",  "used",
                                                       "review", "retire", "suggest"};

// A command for those who may not write: it lists what is due, or what is suggested.
ServedCommand ListOf(std::string_view command) {
  const CommandInfo& info = *FindCommand(command);
  std::vector<FlagSet::Entry> entries = EntriesOf(info);
  std::erase_if(entries, [](const FlagSet::Entry& entry) {
    constexpr std::array<std::string_view, 6> kOfChanges = {"--rate",   "--at",     "--algorithm",
                                                            "--accept", "--reject", "--dry-run"};
    return entry.is_argument() || std::ranges::find(kOfChanges, entry.name) != kOfChanges.end();
  });
  return {info.name, info.summary, false, std::move(entries)};
}

std::vector<ServedCommand> ServedCommands(bool allow_write) {
  std::vector<ServedCommand> commands;
  const auto add = [&](std::string_view name, bool writes) {
    const CommandInfo& info = *FindCommand(name);
    commands.push_back({info.name, info.summary, writes, EntriesOf(info)});
  };
  for (const std::string_view name : kReading) add(name, false);
  if (!allow_write) {
    for (const std::string_view name : {"review", "suggest"}) commands.push_back(ListOf(name));
    return commands;
  }
  for (const std::string_view name : kWriting) add(name, true);
  return commands;
}

// The name of the store, or else of the database, in the address of a store on a server.
std::string NameInAddress(std::string_view address) {
  address = address.substr(0, address.find(' '));
  const size_t question = std::min(address.find('?'), address.size());
  constexpr std::string_view kStore = "store=";
  for (size_t at = question; at < address.size();) {
    const size_t end = std::min(address.find('&', at + 1), address.size());
    const std::string_view parameter = address.substr(at + 1, end - at - 1);
    if (parameter.starts_with(kStore)) return std::string(parameter.substr(kStore.size()));
    at = end;
  }
  const std::string_view place = address.substr(0, question);
  return std::string(place.substr(place.rfind('/') + 1));
}

// The name of a store without one: the name of the setting `stores`, that in its address, that of
// the directory of its file, or of a file that is not called recall.db.
std::string DefaultName(const StoreLocation& location) {
  if (!location.name.empty()) return location.name;
  if (IsServerAddress(location.path)) return NameInAddress(location.path);
  const fs::path file(location.path);
  return (file.filename() == "recall.db" ? file.parent_path().filename() : file.stem()).string();
}

Json CommitCounts(const AddReport& report) {
  return {{"added", report.added}, {"updated", report.updated}, {"removed", report.removed}};
}

// Which numbers of events are told: they may be of documents that the clients may not know of.
struct ToldCounts {
  bool stages = true;  // what a stage of a search has found
  bool files = true;   // what was added
};

// Counts the stages of calls, and tells the clients of `events` of them.
CallListener MakeListener(EventHub* events, ServerMetrics* metrics, ToldCounts told) {
  return [=](const CallEvent& event) {
    if (event.progress) {
      Json data = {{"request", event.call}, {"command", event.command}};
      if (told.files) data.update(Json::parse(FormatProgressJson(*event.progress, 0)));
      return events->Publish("progress", data);
    }
    const StageEvent& stage = event.stage;
    if (stage.ended) metrics->CountStage(stage.stage, stage.micros);
    if (!events->has_clients()) return;
    Json data = {{"request", event.call},
                 {"command", event.command},
                 {"stage", stage.stage},
                 {"state", stage.ended ? "end" : "begin"}};
    if (stage.ended) {
      data["micros"] = stage.micros;
      if (told.stages) data["count"] = stage.count;
    }
    events->Publish("stage", data);
  };
}

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
    flags.Words("STORE", &stores_, 0, SIZE_MAX,
                "stores, as in --store or NAME=STORE (default: the one found from here)");
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
    flags.Switch("--open", &open_,
                 "show the page in your browser; implies --http 0 and a random token");
    flags.TextList("--watch", &watched_, "PATH",
                   "keep the first store up to date with files; may be repeated");
    service_.Declare(flags);
  }

  Status Check(const GlobalFlags&) override { return service_.Check(); }

  Result<ExitCode> Run(CommandContext& context) override {
    EventHub events;
    ServerMetrics metrics;
    RECALL_ASSIGN(const std::vector<NamedStore> stores, FindStores(context));
    const bool hides = !service_.allow_private();
    const RecallServiceOptions service = service_.MakeOptions();
    const bool scoped = !service.scope.empty();
    const Runners runners{service,
                          std::make_shared<AnswerCache>(),
                          MakeListener(&events, &metrics, {.files = !scoped}),
                          MakeListener(&events, &metrics, {.stages = !hides}),
                          hides,
                          service_.check_within()};
    ServeOptions options = MakeOptions(stores, runners);
    RemoteEndpoint processes(&FindCommand);
    const std::vector<std::string> advertised =
        AnswerCommandLines(stores, runners, &processes, &options);
    RECALL_ASSIGN(options.guard.token, FindToken());
    const std::string token = options.guard.token;
    RECALL_ASSIGN(const HttpServerOptions http, HttpOptions(stores.front()));
    if (const int64_t most = http.answer_time.count() * 1000; most > 0) {
      options.silence_micros = std::min(options.silence_micros, most);
    }
    ServeHandler handler(std::move(options), &events, &metrics);
    RECALL_ASSIGN(const auto server, HttpServer::Listen(http, &handler));
    const std::string socket_path = server->socket_path();
    std::list<AdvertisedSocket> advertisements;
    for (const std::string& store : advertised) {
      if (!socket_path.empty()) advertisements.emplace_back(store, socket_path);
    }
    const InterruptFlag interrupted;
    const InterruptWake wake(server->stop_event());
    RECALL_ASSIGN(const auto commits, CommitWatch::Start(StoresToWatch(stores, runners), &events));
    std::unique_ptr<WatchThread> watcher;
    if (!watched_.empty()) {
      RECALL_ASSIGN(watcher, StartWatch(stores.front().locate, scoped, server.get(), &events));
    }
    const std::string page = open_ ? PageUrl(server->port(), token) : "";
    const auto opened = AnnounceAndOpen(context, *server, page);
    RECALL_TRY(server->Run());
    if (watcher) RECALL_TRY(watcher->End());
    return ExitCode::kDone;
  }

 private:
  struct NamedStore {
    std::string name;
    std::string path;  // "" if it does not exist yet
    std::string uuid;
    LocateRequest locate;
  };

  // How the commands that clients ask for are run.
  struct Runners {
    RecallServiceOptions service;
    std::shared_ptr<AnswerCache> cache;
    CallListener listener;
    CallListener for_processes;  // of calls of processes, from which nothing is hidden
    bool hides_private = false;
    std::vector<std::string> check_within;

    CallSettings Observed(const NamedStore& store) const {
      return {store.locate,  service.scope, cache,       listener,
              hides_private, service.root,  check_within};
    }
    // For calls that no client should see: they are neither counted nor published as events.
    CallSettings Silent(const NamedStore& store) const {
      return {store.locate, service.scope, nullptr, {}, hides_private, service.root, check_within};
    }
  };

  ServeOptions MakeOptions(const std::vector<NamedStore>& stores, const Runners& runners) const {
    ServeOptions options;
    options.workers = kServeWorkers;
    options.version = BuildInformation().version;
    options.commands = ServedCommands(service_.allow_write());
    options.cache = runners.cache;
    for (const NamedStore& store : stores) {
      options.stores.push_back(
          {store.name, runners.service,
           [observed = runners.Observed(store), silent = runners.Silent(store)](bool is_observed) {
             return ServiceFlags::MakeRunner(is_observed ? observed : silent);
           },
           IsServerAddress(store.path), KeyOfStore(store.path).value_or("")});
    }
    return options;
  }

  static std::vector<WatchedStore> StoresToWatch(const std::vector<NamedStore>& stores,
                                                 const Runners& runners) {
    std::vector<WatchedStore> watched;
    for (const NamedStore& store : stores) {
      watched.push_back({store.name, store.path, ServiceFlags::MakeRunner(runners.Silent(store)),
                         IsServerAddress(store.path)});
    }
    return watched;
  }

  // Lets `processes` answer command lines of other processes for these stores. Returns: the keys of
  // the stores. Within a scope, which command lines do not know, their calls cannot be answered.
  static std::vector<std::string> AnswerCommandLines(const std::vector<NamedStore>& stores,
                                                     const Runners& runners,
                                                     RemoteEndpoint* processes,
                                                     ServeOptions* options) {
    std::vector<std::string> keys;
    if (!runners.service.scope.empty()) return keys;
    for (const NamedStore& store : stores) {
      const auto key = KeyOfStore(store.path);
      if (!key) continue;
      processes->Add(*key, runners.for_processes);
      keys.push_back(*key);
    }
    options->routes.push_back({std::string(kRemoteCallPath), "cli",
                               [processes](const HttpRequest& request, const auto& reply) {
                                 processes->Answer(request, reply);
                               }});
    return keys;
  }

  // The token that requests over TCP must have; "" if none is needed. The page gets a random one,
  // because otherwise every user of this machine could read the store.
  Result<std::string> FindToken() const {
    if (token_file_) return ReadToken(*token_file_);
    return open_ ? RandomHex(16) : "";
  }

  Result<HttpServerOptions> HttpOptions(const NamedStore& first) const {
    HttpServerOptions http;
    http.workers = kServeWorkers;
    const std::optional<int64_t> port = open_ && !port_ ? 0 : port_;
    if (port) http.port = static_cast<uint16_t>(*port);
    RECALL_ASSIGN(const std::vector<PassedSocket> passed, TakePassedSockets());
    for (const PassedSocket& socket : passed) http.adopted.push_back(socket.descriptor);
    if (socket_ || passed.empty()) {
      RECALL_ASSIGN(const std::string path, SocketPath(first, /*needed=*/!port));
      if (!path.empty()) http.socket_paths.push_back(path);
    }
    if (idle_nanos_) http.idle_stop = Milliseconds(*idle_nanos_);
    if (request_nanos_) http.answer_time = Milliseconds(*request_nanos_);
    if (max_stored_bytes_) http.most_stored_bytes = *max_stored_bytes_;
    http.stored_directory = BodyDirectory(first);
    return http;
  }

  // The stores of the command line, or the one found from the working directory.
  Result<std::vector<NamedStore>> FindStores(const CommandContext& context) const {
    std::vector<NamedStore> stores;
    for (const std::string& word : stores_.empty() ? std::vector<std::string>{""} : stores_) {
      NamedStore store;
      store.locate = service_.Located(context.locate);
      // A name has no slash, so that a path with '=' can be given as ./PATH.
      const size_t equals = word.find('=');
      const bool named = equals != std::string::npos && word.find('/') > equals;
      if (named) store.name = word.substr(0, equals);
      if (!word.empty()) store.locate.store = named ? word.substr(equals + 1) : word;
      RECALL_TRY(Identify(/*must_exist=*/!word.empty(), &store));
      const bool taken = std::ranges::find(stores, store.name, &NamedStore::name) != stores.end();
      if (taken || store.name.empty()) {
        return Fail(Status::InvalidArgument(store.name.empty()
                                                ? "'" + word + "' has no name"
                                                : "two stores are called '" + store.name + "'",
                                            "name them: recall serve notes=" + store.locate.store));
      }
      stores.push_back(std::move(store));
    }
    return stores;
  }

  // Opens the store once, to learn its path and identity. One that does not exist may be made while
  // the server runs.
  static Status Identify(bool must_exist, NamedStore* store) {
    std::vector<std::string> warnings;
    auto location = LocateStore(store->locate, &warnings);
    if (!location && must_exist) return location.error();
    if (!location) {
      store->name = "default";
      return {};
    }
    store->path = location->path;
    store->locate.store = location->path;
    if (store->name.empty()) store->name = DefaultName(*location);
    const Config config = ResolveConfig(location->layers);
    RECALL_TRY(CheckConfig(config));
    RECALL_ASSIGN(
        const auto database,
        Database::Open(location->path, OpenOptionsFor(StoreAccess::kRead, *location, config)));
    store->uuid = database->uuid();
    return {};
  }

  // Within a scope, which may not be that of the files, clients learn only that there was
  // something.
  Result<std::unique_ptr<WatchThread>> StartWatch(const LocateRequest& locate, bool scoped,
                                                  HttpServer* server, EventHub* events) const {
    WatchObserver observer;
    observer.on_batch = [=](const AddReport& report) {
      events->Publish("watch", scoped ? Json::object() : CommitCounts(report));
    };
    observer.on_problem = [=](const std::string& problem) {
      if (!scoped) events->Publish("watch", {{"problem", problem}});
    };
    std::vector<std::string> warnings;
    RECALL_ASSIGN(const StoreLocation location, LocateStore(locate, &warnings));
    const Config config = ResolveConfig(location.layers);
    RECALL_TRY(CheckConfig(config));
    RECALL_ASSIGN(auto database, Database::Open(location.path, OpenOptionsFor(StoreAccess::kWrite,
                                                                              location, config)));
    WatchOptions options;
    options.add.paths = watched_;
    AddFlags().Apply(config, PathOfProgram(), &options.add);
    return WatchThread::Start(std::move(database), std::move(options), std::move(observer),
                              [server] { server->Stop(); });
  }

  // The path of the Unix socket. Returns: "" if no directory for it is known and it is not
  // `needed`, because the server listens on TCP.
  Result<std::string> SocketPath(const NamedStore& store, bool needed) const {
    if (socket_) return *socket_;
    const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
    if (runtime == nullptr || *runtime == '\0') {
      if (!needed) return std::string();
      return Fail(
          Status::IoError("there is no directory for the socket: XDG_RUNTIME_DIR is not set",
                          "name a socket with --socket, or a port with --http"));
    }
    if (store.uuid.empty()) {
      return Fail(Status::StoreNotFound("store not found; run `recall init` first",
                                        "or name a socket with --socket"));
    }
    const fs::path directory = fs::path(runtime) / "recall";
    std::error_code error;
    fs::create_directories(directory, error);
    fs::permissions(directory, fs::perms::owner_all, error);
    if (error)
      return Fail(Status::IoError("cannot make " + directory.string() + ": " + error.message()));
    return (directory / (store.uuid + ".sock")).string();
  }

  static std::chrono::milliseconds Milliseconds(int64_t nanos) {
    return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(nanos));
  }

  // Beside the store, where there must be room for what a body says; without a file of the store,
  // in the directory for temporary files.
  static std::string BodyDirectory(const NamedStore& store) {
    const bool in_file = !store.path.empty() && !IsServerAddress(store.path);
    if (in_file) return fs::path(store.path).parent_path().string();
    std::error_code error;
    const fs::path temporary = fs::temp_directory_path(error);
    return error ? "/tmp" : temporary.string();
  }

  // Prints where the server listens, and opens `page` in the browser unless it is "". Returns: null
  // without a page, or, with a warning, if there is no browser.
  static std::unique_ptr<OpenedPage> AnnounceAndOpen(CommandContext& context,
                                                     const HttpServer& server,
                                                     const std::string& page) {
    std::promise<void> promise;
    auto opened = page.empty() ? nullptr : OpenPage(context, page, promise.get_future().share());
    // Is destroyed before `opened`, whose thread waits for it.
    std::promise<void> announced = std::move(promise);
    Announce(context, server.socket_path(), server.port(), page);
    announced.set_value();
    return opened;
  }

  // Opens `page` in the browser. A failure is reported once the address is `announced`, from
  // another thread, which must not touch the context.
  static std::unique_ptr<OpenedPage> OpenPage(CommandContext& context, const std::string& page,
                                              const std::shared_future<void>& announced) {
    auto opened = OpenedPage::Open(
        page, [announced, quiet = context.flags.quiet,
               label = context.error_style.Warning("warning:")](const std::string& problem) {
          announced.wait();
          if (quiet) return;
          const std::string line =
              label + " " + EscapeLine(problem) + "; open the address of the page yourself\n";
          std::fwrite(line.data(), 1, line.size(), stderr);
        });
    if (opened) return *std::move(opened);
    context.warnings.push_back(std::string(opened.error().message()) +
                               "; open the address of the page yourself");
    return nullptr;
  }

  static void Announce(CommandContext& context, const std::string& socket, uint16_t port,
                       const std::string& page) {
    const std::string url = port == 0 ? "" : "http://127.0.0.1:" + std::to_string(port);
    if (context.json()) {
      JsonResponse response;
      response.own_key = "serve";
      response.own = [&](JsonWriter& json) {
        json.FieldOrNull("socket", socket);
        json.FieldOrNull("url", url);
        json.FieldOrNull("page", page);
      };
      context.Send(std::move(response));
    } else {
      if (!socket.empty()) context.out->Write("listening on " + EscapeLine(socket) + "\n");
      if (!url.empty()) context.out->Write("listening on " + url + "\n");
      if (!page.empty()) context.out->Write("the page is " + page + "\n");
      context.PrintWarnings();
    }
    context.out->Flush().IgnoreError();  // whoever started the server need not listen
  }

  std::vector<std::string> stores_;
  std::vector<std::string> watched_;
  std::optional<int64_t> port_;
  std::optional<std::string> socket_;
  std::optional<std::string> token_file_;
  std::optional<int64_t> idle_nanos_;
  std::optional<int64_t> request_nanos_;
  std::optional<uint64_t> max_stored_bytes_;
  bool open_ = false;
  ServiceFlags service_;
};

}  // namespace

const CommandInfo kServeCommand = {
    "serve",
    "[OPTIONS] [STORE...]",
    "answer programs and assistants over HTTP: a Unix socket, localhost",
    "  recall serve                               on a Unix socket for your own programs\n"
    "  recall serve --open                        the page in your browser\n"
    "  recall serve --http 7700 --token-file ~/.recall-token\n"
    "  curl --unix-socket \"$XDG_RUNTIME_DIR\"/recall/*.sock http://recall/v1/search \\\n"
    "    --json '{\"query\": \"retry policy\", \"k\": 3}'\n",
    "POST /v1/COMMAND runs search, grep, symbols, map, similar, context, query, get, ls, stats, "
    "and\n"
    "with "
    "--allow-write add, rm, compact, embed. The body is a JSON object with the flags as members, "
    "the\n"
    "answer that of --json. POST /mcp is the Model Context Protocol. GET / is a page for people, "
    "GET\n"
    "/openapi.json describes all routes. SIGTERM ends the server once the requests in flight are\n"
    "answered.\n",
    [] { return std::unique_ptr<Command>(new ServeCommand); }};

}  // namespace recall
