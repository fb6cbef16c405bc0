// `recall serve` as programs use it.

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/http/raw_client.h"
#include "tests/cli/recall_process.h"

namespace recall {
namespace {

using nlohmann::ordered_json;

// A server that has said where it listens.
class Serving final {
 public:
  // `browser`: the value of BROWSER.
  Serving(const std::string& directory, std::vector<std::string> args,
          const std::string& browser = "") {
    args.insert(args.begin(), {RECALL_BINARY, "serve", "--json", "--store", directory});
    std::vector<char*> argv;
    for (std::string& arg : args) argv.push_back(arg.data());
    argv.push_back(nullptr);
    int out[2];
    EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    ::posix_spawn_file_actions_adddup2(&actions, out[1], 2);
    const std::string browser_variable = "BROWSER=" + browser;
    std::vector<char*> env{const_cast<char*>(browser_variable.c_str())};
    for (char** variable = environ; *variable != nullptr; ++variable) env.push_back(*variable);
    env.push_back(nullptr);
    EXPECT_EQ(::posix_spawn(&pid_, RECALL_BINARY, &actions, nullptr, argv.data(), env.data()), 0);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(out[1]);
    said_ = out[0];
    answer_ = ordered_json::parse(NextLine(), nullptr, false);
    if (answer_.is_object() && answer_.contains("serve")) serve_ = answer_["serve"];
  }
  ~Serving() {
    if (pid_ > 0) Stop();
    ::close(said_);
  }
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  RawClient Local() const { return RawClient::ToSocket(serve_["socket"]); }
  RawClient Tcp() const { return RawClient::ToPort(port()); }
  uint16_t port() const {
    const std::string url = serve_["url"];
    return static_cast<uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  }
  const ordered_json& answer() const { return answer_; }
  const ordered_json& serve() const { return serve_; }
  // The next line of its output and errors.
  std::string NextLine() const {
    std::string line;
    char c = 0;
    while (::read(said_, &c, 1) == 1 && c != '\n') line += c;
    return line;
  }
  // Returns: the exit code.
  int Stop() {
    ::kill(pid_, SIGTERM);
    int status = 0;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t pid_ = -1;
  int said_ = -1;
  ordered_json answer_;
  ordered_json serve_;
};

struct ServedAnswer {
  int status = 0;
  std::string body;

  ordered_json Json() const { return ordered_json::parse(body, nullptr, false); }
};

ServedAnswer AnswerOf(RawClient client) {
  const std::string response = client.ReadResponse();
  const size_t end = response.find("\r\n\r\n");
  if (end == std::string::npos) return {};
  return {std::stoi(response.substr(9, 3)), response.substr(end + 4)};
}

ServedAnswer Post(RawClient client, const std::string& path, const std::string& body,
                  const std::string& headers = "") {
  client.Post(path, body, headers + "Content-Type: application/json\r\n");
  return AnswerOf(std::move(client));
}

ServedAnswer Get(RawClient client, const std::string& path) {
  client.Send("GET " + path + " HTTP/1.1\r\nHost: recall\r\n\r\n");
  return AnswerOf(std::move(client));
}

class ServeTest : public RecallTest {
 protected:
  void SetUp() override { MakeSmallStore(); }
  std::vector<std::string> Options(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--socket", Path("socket")});
    return more;
  }
};

TEST_F(ServeTest, CommandsAnswerAsOnTheCommandLine) {
  const Serving server(directory(), Options());
  const RunResult run =
      Run({"search", "document", "-k", "1", "--json", "--snippet", "0", "--stable"});
  ASSERT_EQ(run.exit, 0) << run;
  const ServedAnswer answer =
      Post(server.Local(), "/v1/search", R"({"query": "document", "k": 1, "snippet": 0})");
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.Json()["results"], run.Json()["results"]);
}

TEST_F(ServeTest, ErrorsHaveTheStatusOfTheirKind) {
  const Serving server(directory(), Options());
  const auto code = [](const ServedAnswer& answer) {
    return std::to_string(answer.status) + " " + std::string(answer.Json()["error"]["code"]);
  };
  EXPECT_EQ(code(Post(server.Local(), "/v1/get", R"({"target": "absent.md"})")), "404 not_found");
  EXPECT_EQ(code(Post(server.Local(), "/v1/search", R"({"query": "x", "k": -1})")),
            "400 invalid_argument");
  EXPECT_EQ(code(Post(server.Local(), "/v1/search", "{")), "400 invalid_argument");
  EXPECT_EQ(code(Post(server.Local(), "/v1/doctor", "{}")), "404 not_found");
  EXPECT_EQ(code(Post(server.Local(), "/v1/add", "{}")), "404 not_found");
  EXPECT_EQ(code(Get(server.Local(), "/v1/search")), "405 invalid_argument");
}

TEST_F(ServeTest, TellsOfItself) {
  const Serving server(directory(), Options());
  EXPECT_EQ(Get(server.Local(), "/livez").status, 200);
  EXPECT_EQ(Get(server.Local(), "/readyz").status, 200);
  const ServedAnswer version = Get(server.Local(), "/version");
  EXPECT_EQ(version.Json()["version"], Run({"version", "--json"}).Json()["version"]);
  EXPECT_EQ(Get(server.Local(), "/nosuch").status, 404);
}

TEST_F(ServeTest, OffersSeveralStoresByName) {
  const TempDir other;
  ASSERT_EQ(Run({"init", other.path()}).exit, 0);
  const Serving server(directory(), Options({"mine=" + directory(), "empty=" + other.path()}));
  EXPECT_EQ(Get(server.Local(), "/v1/stores").Json()["stores"],
            ordered_json::parse(R"([{"name": "mine"}, {"name": "empty"}])"));
  const auto count = [&](const std::string& header) {
    return Post(server.Local(), "/v1/ls", "{}", header).Json()["results"].size();
  };
  EXPECT_GT(count(""), 0U);
  EXPECT_GT(count("X-Recall-Store: mine\r\n"), 0U);
  EXPECT_EQ(count("X-Recall-Store: empty\r\n"), 0U);
  const ServedAnswer unknown = Post(server.Local(), "/v1/ls", "{}", "X-Recall-Store: theirs\r\n");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_EQ(unknown.Json()["error"]["code"], "store_not_found");
}

TEST_F(ServeTest, TwoStoresOfOneNameAreRefused) {
  const RunResult run =
      Run({"serve", "--socket", Path("socket"), "a=" + directory(), "a=" + directory()});
  EXPECT_EQ(run.exit, 2) << run;
  const RunResult absent = Run({"serve", "--socket", Path("socket"), Path("absent.db")});
  EXPECT_EQ(absent.exit, 3) << absent;
}

TEST_F(ServeTest, TellsOfCommitsAndOfTheStagesOfSearches) {
  Serving server(directory(), Options());
  RawClient events = server.Local();
  events.Send("GET /v1/events HTTP/1.1\r\nHost: recall\r\n\r\n");
  EXPECT_NE(events.ReadResponse().find("text/event-stream"), std::string::npos);
  const auto next = [&](const std::string& name) {
    std::string event;
    do {
      event = events.ReadEvent();
    } while (!event.empty() && !event.starts_with("event: " + name + "\n"));
    const size_t data = event.find("data: ");
    if (data == std::string::npos) return ordered_json();
    return ordered_json::parse(event.substr(data + 6, event.find('\n', data) - data - 6));
  };
  const ordered_json first = next("commit");
  EXPECT_EQ(first["snapshot"], Run({"ls", "--json"}).Json()["query"]["snapshot"]);
  Post(server.Local(), "/v1/search", R"({"query": "document"})");
  EXPECT_EQ(next("stage")["stage"], "query.parse");
  ordered_json stage;
  do {
    stage = next("stage");
  } while (stage.is_object() && stage["stage"] != "done");
  EXPECT_EQ(stage["command"], "search");
  EXPECT_GE(stage["micros"], 0);
  Write("new.txt", "a new document\n");
  ASSERT_EQ(Run({"add", "new.txt"}).exit, 0);
  const ordered_json second = next("commit");
  EXPECT_EQ(second["snapshot"], Run({"ls", "--json"}).Json()["query"]["snapshot"]);
  EXPECT_NE(second["snapshot"], first["snapshot"]);
  EXPECT_EQ(server.Stop(), 0);
  events.ReadToEnd();
}

TEST_F(ServeTest, AClientThatComesBackLearnsThatItMissedSomething) {
  const Serving server(directory(), Options());
  const auto first_event = [&](const std::string& last_id) {
    RawClient events = server.Local();
    events.Send("GET /v1/events HTTP/1.1\r\nHost: recall\r\nLast-Event-ID: " + last_id +
                "\r\n\r\n");
    events.ReadResponse();
    return events.ReadEvent();
  };
  const std::string now = Run({"ls", "--json"}).Json()["query"]["snapshot"];
  EXPECT_TRUE(first_event(now).starts_with("event: commit\n"));
  EXPECT_TRUE(first_event("00000000-1").starts_with("event: lost\n"));
}

TEST_F(ServeTest, MetricsCountWhatWasAsked) {
  const Serving server(directory(), Options());
  Post(server.Local(), "/v1/search", R"({"query": "document"})");
  Post(server.Local(), "/v1/search", R"({"query": ""})");
  Get(server.Local(), "/what/ever\"}");
  const ServedAnswer metrics = Get(server.Local(), "/metrics");
  for (const std::string line : {"recall_requests_total{route=\"search\",status=\"2xx\"} 1\n",
                                 "recall_requests_total{route=\"search\",status=\"4xx\"} 1\n",
                                 "recall_requests_total{route=\"other\",status=\"4xx\"} 1\n",
                                 "recall_request_seconds_count{route=\"search\"} 2\n",
                                 "recall_stage_seconds_count{stage=\"bm25.search\"} 1\n"}) {
    EXPECT_NE(metrics.body.find(line), std::string::npos) << line << metrics.body;
  }
  EXPECT_EQ(metrics.body.find("ever"), std::string::npos);
}

TEST_F(ServeTest, WatchesFiles) {
  Write("in/a.md", "a heron\n");
  const Serving server(directory(), Options({"--watch", Path("in")}));
  RawClient events = server.Local();
  events.Send("GET /v1/events HTTP/1.1\r\nHost: recall\r\n\r\n");
  events.ReadResponse();
  Write("in/b.md", "a bittern\n");
  std::string event;
  while (Run({"search", "bittern", "--json", "--bm25"}).Json()["results"].empty()) {
    event = events.ReadEvent();
    ASSERT_FALSE(event.empty());
  }
  EXPECT_EQ(Run({"search", "heron", "--json", "--bm25"}).Json()["results"].size(), 1U);
}

TEST_F(ServeTest, IsNotReadyWithoutAStore) {
  const TempDir empty;
  const Serving server(empty.path(), Options());
  EXPECT_EQ(Get(server.Local(), "/livez").status, 200);
  EXPECT_EQ(Get(server.Local(), "/readyz").status, 503);
}

TEST_F(ServeTest, WritesOnlyIfAllowedAndBelowTheRoot) {
  Write("in/new.md", "a heron at the pond\n");
  Write("out.md", "a secret\n");
  ASSERT_EQ(::symlink(Path("out.md").c_str(), Path("in/link.md").c_str()), 0);
  const Serving server(directory(), Options({"--allow-write", "--root", Path("in")}));
  EXPECT_EQ(Post(server.Local(), "/v1/add", R"({"path": "new.md"})").status, 200);
  EXPECT_NE(Run({"search", "heron"}).out.find("new.md"), std::string::npos);
  for (const std::string& path : {std::string("../out.md"), Path("out.md"), std::string("link.md"),
                                  std::string("/etc/passwd")}) {
    const ServedAnswer answer =
        Post(server.Local(), "/v1/add", ordered_json{{"path", path}}.dump());
    EXPECT_EQ(answer.status, 400) << path << answer.body;
    EXPECT_EQ(answer.Json()["error"]["code"], "invalid_argument") << path;
  }
  EXPECT_EQ(Run({"search", "secret", "--json", "--bm25"}).Json()["results"].size(), 0U);
  EXPECT_EQ(Post(server.Local(), "/v1/rm", R"({"target": "in/new.md"})").status, 200);
}

TEST_F(ServeTest, TheScopeHoldsForCommands) {
  const Serving server(directory(), Options({"--scope", "doc.path = 'absent'"}));
  const ServedAnswer answer = Post(server.Local(), "/v1/ls", "{}");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body.find(".txt"), std::string::npos) << answer.body;
}

TEST_F(ServeTest, OverTcpTheHostAndTheTokenAreChecked) {
  Write("token", "0123456789abcdef\n");
  ASSERT_EQ(::chmod(Path("token").c_str(), 0600), 0);
  const Serving server(directory(), Options({"--http", "0", "--token-file", Path("token")}));
  const std::string host = "Host: 127.0.0.1:" + std::to_string(server.port()) + "\r\n";
  const auto post = [&](const std::string& headers) {
    RawClient client = server.Tcp();
    client.Send("POST /v1/ls HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n" +
                headers + "\r\n{}");
    return AnswerOf(std::move(client)).status;
  };
  EXPECT_EQ(post(host), 401);
  EXPECT_EQ(post(host + "Authorization: Bearer 0123456789abcdef\r\n"), 200);
  EXPECT_EQ(post("Host: evil.example\r\nAuthorization: Bearer 0123456789abcdef\r\n"), 403);
  // The file system protects the Unix socket.
  EXPECT_EQ(Post(server.Local(), "/v1/ls", "{}").status, 200);
}

TEST_F(ServeTest, ThePageNeedsNoTokenButItsQuestionsDo) {
  Write("token", "0123456789abcdef\n");
  ASSERT_EQ(::chmod(Path("token").c_str(), 0600), 0);
  const Serving server(directory(), Options({"--http", "0", "--token-file", Path("token")}));
  RawClient client = server.Tcp();  // one connection for all
  const auto ask = [&](const std::string& request, const std::string& headers = "") {
    client.Send(request + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) + "\r\n" +
                headers + "\r\n");
    return client.ReadResponse();
  };
  for (const std::string path : {"/", "/recall.css", "/recall.js"}) {
    const std::string response = ask("GET " + path);
    EXPECT_TRUE(response.starts_with("HTTP/1.1 200 ")) << response;
    EXPECT_NE(response.find("Content-Security-Policy: default-src 'none';"), std::string::npos);
    EXPECT_NE(response.find("X-Content-Type-Options: nosniff\r\n"), std::string::npos);
    const size_t tag = response.find("ETag: ") + 6;
    const std::string same =
        ask("GET " + path, "If-None-Match: " + response.substr(tag, 66) + "\r\n");
    EXPECT_TRUE(same.starts_with("HTTP/1.1 304 ")) << same;
    EXPECT_TRUE(same.ends_with("\r\n\r\n")) << same;
  }
  const std::string with_token = "Authorization: Bearer 0123456789abcdef\r\n";
  const std::string wrong = ask("DELETE /", with_token);
  EXPECT_TRUE(wrong.starts_with("HTTP/1.1 405 ")) << wrong;
  EXPECT_NE(wrong.find("Allow: GET\r\n"), std::string::npos);
  EXPECT_TRUE(ask("GET /version").starts_with("HTTP/1.1 401 "));
}

// A browser that tells what it was given, through a FIFO.
std::string TellingBrowser(const std::string& fifo) {
  return "#!/bin/sh\n{ echo \"$1\"; stat -c %a \"$1\"; cat \"$1\"; } >" + fifo + "\n";
}

TEST_F(ServeTest, OpensThePageWithATokenThatNobodyElseCanRead) {
  ASSERT_EQ(::mkfifo(Path("fifo").c_str(), 0600), 0);
  Write("browser", TellingBrowser(Path("fifo")));
  ASSERT_EQ(::chmod(Path("browser").c_str(), 0700), 0);
  Serving server(directory(), Options({"--open"}), Path("browser"));
  std::ifstream told(Path("fifo"));
  std::string file;
  std::string mode;
  std::getline(told, file);
  std::getline(told, mode);
  const std::string html((std::istreambuf_iterator<char>(told)), std::istreambuf_iterator<char>());
  const std::string page = server.serve()["page"];
  const std::string url = server.serve()["url"];
  EXPECT_EQ(mode, "600");
  EXPECT_NE(html.find("url=" + page + "\""), std::string::npos) << html;
  ASSERT_TRUE(page.starts_with(url + "/#token=")) << page;

  const std::string token = page.substr(url.size() + 8);
  EXPECT_EQ(token.size(), 32U);
  const auto status = [&](const std::string& authorization) {
    RawClient client = server.Tcp();
    client.Send("GET /version HTTP/1.1\r\nHost: " + url.substr(7) + "\r\n" + authorization +
                "\r\n");
    return AnswerOf(std::move(client)).status;
  };
  EXPECT_EQ(status(""), 401);
  EXPECT_EQ(status("Authorization: Bearer " + token + "\r\n"), 200);
  EXPECT_EQ(server.Stop(), 0);
  EXPECT_NE(::access(file.c_str(), F_OK), 0);
}

TEST_F(ServeTest, OpensThePageWithTheGivenToken) {
  Write("token", "0123456789abc/ef\n");
  ASSERT_EQ(::chmod(Path("token").c_str(), 0600), 0);
  const Serving server(directory(), Options({"--open", "--token-file", Path("token")}), "true");
  EXPECT_TRUE(std::string(server.serve()["page"]).ends_with("/#token=0123456789abc%2fef"));
}

TEST_F(ServeTest, ABrowserThatFailsIsAWarning) {
  const Serving server(directory(), Options({"--open"}), "false");
  EXPECT_EQ(server.NextLine(),
            "warning: \"false\" failed with exit code 1; open the address of the page yourself");
  EXPECT_EQ(Get(server.Local(), "/livez").status, 200);
}

TEST_F(ServeTest, AWeakTokenIsRefused) {
  Write("token", "0123456789abcdef\n");
  ASSERT_EQ(::chmod(Path("token").c_str(), 0644), 0);
  const std::vector<std::string> args = {"serve",    "--http",       "0",
                                         "--socket", Path("socket"), "--token-file"};
  const auto run = [&](const std::string& file) {
    std::vector<std::string> all = args;
    all.push_back(Path(file));
    return Run(all);
  };
  const RunResult open = run("token");
  EXPECT_EQ(open.exit, 2) << open;
  EXPECT_NE(open.err.find("chmod 600"), std::string::npos) << open;
  Write("short", "0123\n");
  ASSERT_EQ(::chmod(Path("short").c_str(), 0600), 0);
  EXPECT_EQ(run("short").exit, 2);
  EXPECT_EQ(run("absent").exit, 1);
}

TEST_F(ServeTest, AnswersAssistants) {
  const Serving server(directory(), Options());
  const ServedAnswer answer =
      Post(server.Local(), "/mcp",
           R"({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params":)"
           R"( {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}}})");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.Json()["result"]["serverInfo"]["name"], "recall");
}

TEST_F(ServeTest, SigtermEndsItWithSuccessAndRemovesTheSocket) {
  Serving server(directory(), Options());
  EXPECT_EQ(server.serve()["socket"], Path("socket"));
  EXPECT_TRUE(server.serve()["url"].is_null());
  EXPECT_EQ(server.Stop(), 0);
  EXPECT_NE(::access(Path("socket").c_str(), F_OK), 0);
}

TEST_F(ServeTest, ASecondServerOnTheSocketIsRefused) {
  const Serving server(directory(), Options());
  const RunResult second = Run({"serve", "--socket", Path("socket"), "--json"});
  EXPECT_EQ(second.exit, 3) << second;
  EXPECT_EQ(second.Json()["error"]["code"], "already_exists") << second;
  EXPECT_EQ(Get(server.Local(), "/livez").status, 200);
}

TEST_F(ServeTest, WithoutARuntimeDirectoryASocketMustBeNamed) {
  const RunResult run = Run({"serve"});
  EXPECT_EQ(run.exit, 3) << run;
  EXPECT_NE(run.err.find("--socket"), std::string::npos) << run;
}

}  // namespace
}  // namespace recall
