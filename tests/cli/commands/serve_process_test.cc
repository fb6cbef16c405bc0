// `recall serve` as programs use it.

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/recall_process.h"
#include "tests/cli/server/http/raw_client.h"
#include "tests/cli/server/http/serving.h"

namespace recall {
namespace {

using nlohmann::ordered_json;

class ServeTest : public RecallTest {
 protected:
  void SetUp() override { MakeSmallStore(); }
  std::vector<std::string> Options(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--socket", Path("socket")});
    return more;
  }
};

TEST_F(ServeTest, CommandsAnswerAsOnTheCommandLine) {
  const Serving server(store(), Options());
  const RunResult run =
      Run({"search", "document", "-k", "1", "--json", "--snippet", "0", "--stable"});
  ASSERT_EQ(run.exit, 0) << run;
  const ServedAnswer answer =
      Post(server.Local(), "/v1/search", R"({"query": "document", "k": 1, "snippet": 0})");
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.Json()["results"], run.Json()["results"]);
}

// The page asks for both (docs/http.md).
TEST_F(ServeTest, LinesAndDefinitionsAreFoundAsOnTheCommandLine) {
  Write("src/store.cc", "int Commit() {\n  return 1;\n}\nint Twice() {\n  return Commit();\n}\n");
  ASSERT_EQ(Run({"add", "src"}).exit, 0);
  const Serving server(store(), Options());
  const auto results = [&](const std::string& path, const std::string& body) {
    const ServedAnswer answer = Post(server.Local(), path, body);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return answer.Json()["results"];
  };
  const ordered_json lines =
      results("/v1/grep", R"({"pattern": "Commit(", "fixed_strings": true})");
  EXPECT_EQ(lines, Run({"grep", "-F", "Commit(", "--json", "--stable"}).Json()["results"]);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["lines"].size(), 2U);
  EXPECT_EQ(results("/v1/symbols", R"({"name": "*", "filter": "doc.path = 'src/store.cc'"})"),
            Run({"symbols", "*", "--json", "--stable"}).Json()["results"]);
  const ordered_json uses = results("/v1/symbols", R"({"name": "Commit", "references": true})");
  EXPECT_EQ(uses,
            Run({"symbols", "Commit", "--references", "--json", "--stable"}).Json()["results"]);
}

TEST_F(ServeTest, ErrorsHaveTheStatusOfTheirKind) {
  const Serving server(store(), Options());
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
  const Serving server(store(), Options());
  EXPECT_EQ(Get(server.Local(), "/livez").status, 200);
  EXPECT_EQ(Get(server.Local(), "/readyz").status, 200);
  const ServedAnswer version = Get(server.Local(), "/version");
  EXPECT_EQ(version.Json()["version"], Run({"version", "--json"}).Json()["version"]);
  EXPECT_EQ(Get(server.Local(), "/nosuch").status, 404);
}

TEST_F(ServeTest, OffersSeveralStoresByName) {
  const TempDir other;
  ASSERT_EQ(Run({"init", other.path()}).exit, 0);
  const Serving server(store(), Options({"mine=" + store(), "empty=" + other.path()}));
  Write("recall.toml", "[view.docs]\nfilter = \"doc.path GLOB 'docs/**'\"\n");
  const auto stores = Get(server.Local(), "/v1/stores").Json();
  EXPECT_EQ(
      stores["stores"],
      ordered_json::parse(R"([{"name": "mine", "views": ["docs", "entries", "memory", "sessions"]},
                                    {"name": "empty", "views": ["entries", "memory", "sessions"]}])"));
  EXPECT_EQ(stores["allow_write"], false);
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

// Who may not write sees what is due, and cannot rate it.
TEST_F(ServeTest, ReviewsAreListedWithoutTheRightToWrite) {
  ASSERT_EQ(Run({"save", "lesson", "Due", "--text", "text", "--at", "2026-01-01"}).exit, 0);
  for (const bool writes : {false, true}) {
    auto options = Options();
    if (writes) options.emplace_back("--allow-write");
    const Serving server(store(), options);
    EXPECT_EQ(Get(server.Local(), "/v1/stores").Json()["allow_write"], writes);
    const auto due = [&](const std::string& body) {
      return Post(server.Local(), "/v1/review", body).Json()["review"]["total"];
    };
    EXPECT_EQ(due(R"({"list": true})"), 1);
    EXPECT_EQ(due("{}"), 1) << "nobody is asked on the terminal of the server";
    const ServedAnswer rated =
        Post(server.Local(), "/v1/review", R"({"target": "due", "rate": 4})");
    EXPECT_EQ(rated.status, writes ? 200 : 400);
    EXPECT_EQ(due("{}"), writes ? 0 : 1);
  }
}

TEST_F(ServeTest, TwoStoresOfOneNameAreRefused) {
  const RunResult run = Run({"serve", "--socket", Path("socket"), "a=" + store(), "a=" + store()});
  EXPECT_EQ(run.exit, 2) << run;
  const RunResult absent = Run({"serve", "--socket", Path("socket"), Path("absent.db")});
  EXPECT_EQ(absent.exit, 3) << absent;
}

TEST_F(ServeTest, TellsOfCommitsAndOfTheStagesOfSearches) {
  Serving server(store(), Options());
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
  const Serving server(store(), Options());
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
  const Serving server(store(), Options());
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
  const Serving server(store(), Options({"--watch", Path("in")}));
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
  const Serving server(store(), Options({"--allow-write", "--root", Path("in")}));
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
  const Serving server(store(), Options({"--scope", "doc.path = 'absent'"}));
  const ServedAnswer answer = Post(server.Local(), "/v1/ls", "{}");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body.find(".txt"), std::string::npos) << answer.body;
}

TEST_F(ServeTest, OverTcpTheHostAndTheTokenAreChecked) {
  Write("token", "0123456789abcdef\n");
  ASSERT_EQ(::chmod(Path("token").c_str(), 0600), 0);
  const Serving server(store(), Options({"--http", "0", "--token-file", Path("token")}));
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
  const Serving server(store(), Options({"--http", "0", "--token-file", Path("token")}));
  RawClient client = server.Tcp();  // one connection for all
  const auto ask = [&](const std::string& request, const std::string& headers = "") {
    client.Send(request + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) + "\r\n" +
                headers + "\r\n");
    return client.ReadResponse();
  };
  for (const std::string path : {"/", "/recall.css", "/recall.js", "/search.js"}) {
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
  Serving server(store(), Options({"--open"}), Path("browser"));
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
  const Serving server(store(), Options({"--open", "--token-file", Path("token")}), "true");
  EXPECT_TRUE(std::string(server.serve()["page"]).ends_with("/#token=0123456789abc%2fef"));
}

TEST_F(ServeTest, ABrowserThatFailsIsAWarning) {
  const Serving server(store(), Options({"--open"}), "false");
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

// The documents of a long body, and the length of each of its texts.
std::string Lines(int count, size_t bytes) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    lines += R"({"path": "line)" + std::to_string(i) + R"(.txt", "text": "walrus )" +
             std::string(bytes, 'x') + "\"}\n";
  }
  return lines;
}

const std::string kStreamed =
    "POST /v1/add HTTP/1.1\r\nHost: recall\r\nContent-Type: application/x-ndjson\r\n";

TEST_F(ServeTest, AddsTheLinesOfABodyOfAnyLength) {
  const Serving server(store(), Options({"--allow-write"}));
  // More than other bodies may have.
  const std::string lines = Lines(50, 60'000);
  RawClient client = server.Local();
  client.Send(kStreamed + "Content-Length: " + std::to_string(lines.size()) + "\r\n\r\n" + lines);
  const ServedAnswer answer = AnswerOf(std::move(client));
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.Json()["add"]["added"], 50) << answer.body;
  EXPECT_EQ(Post(server.Local(), "/v1/get", R"({"target": "line49.txt"})").status, 200);
}

TEST_F(ServeTest, AddsTheLinesOfAChunkedBody) {
  const Serving server(store(), Options({"--allow-write"}));
  RawClient client = server.Local();
  client.Send(kStreamed + "Transfer-Encoding: chunked\r\n\r\n");
  for (const char c : Lines(2, 10)) client.Send(std::string("1\r\n") + c + "\r\n");
  client.Send("0\r\n\r\n");
  const ServedAnswer answer = AnswerOf(std::move(client));
  EXPECT_EQ(answer.Json()["add"]["added"], 2) << answer.body;
}

TEST_F(ServeTest, AddsNothingOfABodyThatIsNotComplete) {
  const Serving server(store(), Options({"--allow-write"}));
  {
    RawClient client = server.Local();
    client.Send(kStreamed + "Content-Length: 1000000\r\n\r\n" + Lines(20, 10));
    client.Close();
  }
  const ServedAnswer answer = Post(server.Local(), "/v1/search", R"({"query": "walrus"})");
  EXPECT_EQ(answer.Json()["results"].size(), 0U) << answer.body;
}

TEST_F(ServeTest, RefusesLinesThatAreTooLongOrNotAllowed) {
  const std::string lines = Lines(3, 1000);
  const auto send = [&](const Serving& server) {
    RawClient client = server.Local();
    client.Send(kStreamed + "Content-Length: " + std::to_string(lines.size()) + "\r\n\r\n" + lines);
    return AnswerOf(std::move(client)).status;
  };
  {
    const Serving small(store(), Options({"--allow-write", "--max-body-size", "2000"}));
    EXPECT_EQ(send(small), 413);
  }
  const Serving reading(store(), Options());
  EXPECT_EQ(send(reading), 404);
}

TEST_F(ServeTest, TellsOfTheLineThatIsWrong) {
  const Serving server(store(), Options({"--allow-write"}));
  RawClient client = server.Local();
  const std::string lines = Lines(1, 10) + "{\n";
  client.Send(kStreamed + "Content-Length: " + std::to_string(lines.size()) + "\r\n\r\n" + lines);
  const ServedAnswer answer = AnswerOf(std::move(client));
  EXPECT_EQ(answer.status, 400) << answer.body;
  EXPECT_EQ(answer.Json()["add"]["failures"][0]["line"], 2) << answer.body;
}

TEST_F(ServeTest, StopsAfterAnIdleTime) {
  Serving server(store(), Options({"--idle", "1s"}));
  EXPECT_EQ(Get(server.Local(), "/livez").status, 200);
  EXPECT_EQ(server.Wait(), 0);
  EXPECT_NE(::access(Path("socket").c_str(), F_OK), 0);
}

// ---- Sockets of a service manager ---------------------------------------------------------------

TEST_F(ServeTest, ServesOnThePassedSocketsAndLeavesThem) {
  const PassedListener local = PassedListener::AtPath(Path("passed"));
  const PassedListener tcp = PassedListener::OnPort("127.0.0.1");
  // Twice: the second server is passed the same sockets.
  for (int i = 0; i < 2; ++i) {
    Serving server(store(), {}, std::vector<int>{local.fd(), tcp.fd()});
    EXPECT_EQ(server.serve()["socket"], Path("passed"));
    EXPECT_EQ(server.port(), tcp.port());
    EXPECT_EQ(Post(server.Local(), "/v1/ls", "{}").status, 200);
    const std::string host = "Host: localhost:" + std::to_string(tcp.port()) + "\r\n";
    RawClient client = RawClient::ToPort(tcp.port());
    client.Send("GET /readyz HTTP/1.1\r\n" + host + "\r\n");
    EXPECT_EQ(AnswerOf(std::move(client)).status, 200);
    EXPECT_EQ(server.Stop(), 0);
    EXPECT_EQ(::access(Path("passed").c_str(), F_OK), 0);
  }
}

// Nobody is told to come back: the connection waits until the next server accepts it.
TEST_F(ServeTest, AConnectionThatWaitsIsAnsweredByTheNextServer) {
  const PassedListener local = PassedListener::AtPath(Path("passed"));
  RawClient waiting = RawClient::ToSocket(Path("passed"));
  waiting.Post("/v1/ls", "{}", "Content-Type: application/json\r\n");
  const Serving server(store(), {}, std::vector<int>{local.fd()});
  EXPECT_EQ(AnswerOf(std::move(waiting)).status, 200);
}

TEST_F(ServeTest, RefusesPassedSocketsThatOthersCouldReach) {
  const PassedListener open = PassedListener::OnPort("0.0.0.0");
  Serving server(store(), {}, std::vector<int>{open.fd()});
  EXPECT_EQ(server.answer()["error"]["code"], "invalid_argument") << server.answer();
  EXPECT_EQ(server.Wait(), 2);
}

TEST_F(ServeTest, ADeadlineCancelsACommand) {
  const Serving server(store(), Options());
  RawClient client = server.Local();
  client.Post("/v1/ls", "{}", "Content-Type: application/json\r\nX-Recall-Deadline-Ms: soon\r\n");
  EXPECT_EQ(AnswerOf(std::move(client)).status, 400);
  EXPECT_EQ(Post(server.Local(), "/v1/ls", "{}", "X-Recall-Deadline-Ms: 60000\r\n").status, 200);
}

TEST_F(ServeTest, AnswersAssistants) {
  const Serving server(store(), Options());
  const ServedAnswer answer =
      Post(server.Local(), "/mcp",
           R"({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params":)"
           R"( {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}}})");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.Json()["result"]["serverInfo"]["name"], "recall");
}

TEST_F(ServeTest, SigtermEndsItWithSuccessAndRemovesTheSocket) {
  Serving server(store(), Options());
  EXPECT_EQ(server.serve()["socket"], Path("socket"));
  EXPECT_TRUE(server.serve()["url"].is_null());
  EXPECT_EQ(server.Stop(), 0);
  EXPECT_NE(::access(Path("socket").c_str(), F_OK), 0);
}

TEST_F(ServeTest, ASecondServerOnTheSocketIsRefused) {
  const Serving server(store(), Options());
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
