// Commands of which a server does the work print the same bytes as without one.

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>

#include "storage/base/socket_peer.h"
#include "tests/cli/recall_process.h"
#include "tests/cli/server/http/raw_client.h"
#include "tests/cli/server/remote/fake_server.h"
#include "tests/cli/shell.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

class RemoteTest : public RecallTest {
 protected:
  void SetUp() override {
    MakeSmallStore();
    fs::create_directory(runtime_);
  }
  void TearDown() override {
    for (const pid_t server : std::exchange(servers_, {})) Stop(server);
    // One that a search has started. A store on a server of PostgreSQL has no file here.
    const pid_t started = fs::exists(Path("recall.db")) ? Listener() : 0;
    if (started != 0) ::kill(started, SIGTERM);
  }

  // Starts a server, and waits until it listens.
  pid_t Serve(Words args = {}) {
    const std::string fifo = Path("fifo" + std::to_string(started_++));
    EXPECT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    const int reader = ::open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ::fcntl(reader, F_SETFL, 0);
    args.insert(args.begin(), "serve");
    const RunOptions options = {.env = {{"XDG_RUNTIME_DIR", runtime_}}, .stdout_file = fifo};
    servers_.push_back(Start(args, options));
    char c = 0;
    while (::read(reader, &c, 1) == 1 && c != '\n') {
    }
    EXPECT_EQ(c, '\n') << "the server did not start";
    ::close(reader);
    return servers_.back();
  }
  void Stop(pid_t server, int signal = SIGTERM) {
    ::kill(server, signal);
    Wait(server);
    std::erase(servers_, server);
  }

  // `choice`: RECALL_SERVE.
  RunResult RunWith(const std::string& choice, const Words& args, RunOptions options = {}) {
    options.env["XDG_RUNTIME_DIR"] = runtime_;
    options.env["RECALL_SERVE"] = choice;
    return Run(args, options);
  }

  // A server must answer, and as the process itself.
  void ExpectSameByServer(const Words& args, const RunOptions& options = {}) {
    SCOPED_TRACE(::testing::PrintToString(args) + (options.terminal ? " on a terminal" : ""));
    const RunResult alone = RunWith("never", args, options);
    const RunResult served = RunWith("always", args, options);
    EXPECT_EQ(served.exit, alone.exit);
    EXPECT_EQ(served.out, alone.out);
    EXPECT_EQ(served.err, alone.err);
  }
  void ExpectServed(bool served, const Words& args, const RunOptions& options = {}) {
    const RunResult result = RunWith("always", args, options);
    EXPECT_EQ(result.exit, served ? 0 : 3) << result;
    if (!served) {
      EXPECT_TRUE(result.err.starts_with("error: RECALL_SERVE=always: ")) << result;
      EXPECT_EQ(RunWith("auto", args, options).out, Run(args, options).out);
    }
  }

  const std::string runtime_ = Path("run time");

  // The process that listens where the server of the store is looked for; 0 if none does.
  pid_t Listener() const {
    const std::string link = LinkOfStore();
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (link.size() >= sizeof(address.sun_path)) return 0;
    std::ranges::copy(link, address.sun_path);
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool connected =
        ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
    const auto peer = connected ? PeerOfSocket(fd) : std::nullopt;
    ::close(fd);
    return peer ? peer->process : 0;
  }

  // Where the server of the store is looked for.
  std::string LinkOfStore() const {
    struct stat info {};
    EXPECT_EQ(::stat(Path("recall.db").c_str(), &info), 0);
    std::ostringstream name;
    name << std::hex << "/recall/file-" << info.st_dev << "-" << info.st_ino;
    return runtime_ + name.str();
  }

 private:
  std::vector<pid_t> servers_;
  int started_ = 0;
};

const Words kSearch = {"search", "merged", "segments"};

TEST_F(RemoteTest, CommandsPrintTheSame) {
  Serve();
  for (const bool terminal : {false, true}) {
    const RunOptions options = {.terminal = terminal};
    for (const Words& args : std::vector<Words>{
             kSearch,
             {"search", "segments", "--json", "--stable"},
             {"search", "segments", "--lean", "-k", "1"},
             {"search", "segments", "--jsonl", "--stable", "--cite"},
             {"search", "segments", "--fields", "path,lines,score"},
             {"search", "segments", "--color", "always", "--hyperlink", "always"},
             {"search", "--", "-q"},
             {"search", "+nothing", "+such"},
             {"search", "segments", "--filter", "doc.path GLOB 'docs/**'", "--quiet"},
             {"search", "segments", "--filter", "doc.pth = 1"},
             {"search", "segments", "--filter", "doc.pth = 1", "--json"},
             {"search", "segments", "-k", "100000"},
             {"search", "segments", "--stages", "mmr", "--fusion", "rrf"},
             {"similar", "docs/guide.md"},
             {"similar", "absent.md", "--jsonl"},
             {"context", "segments", "--budget-tokens", "50"},
             {"context", "segments", "--format", "markdown"},
             {"context", "segments", "--format", "json", "--stable"},
             {"context", "segments", "--token-counter", "words"},
             {"query", "FROM doc SELECT doc.path, doc.size"},
             {"query", "FROM chunk SELECT *", "--csv"},
             {"query", "FROM chunk USING lexical('segments') SELECT score, chunk.text", "--table"},
             {"query", "FROM doc SELEC"},
             {"query", "FROM doc SELEC", "--lean"},
             {"get", "docs/guide.md"},
             {"get", "docs/guide.md", "src/main.c:1-2", "absent.md"},
             {"get", "docs/guide.md:1", "--verify", "--cite"},
             {"get", "absent.md", "--json"},
             {"ls"},
             {"ls", "docs", "--jsonl", "--stable"},
             {"ls", "--filter", "doc.size > 1000000"},
             {"ls", "absent"},
             {"stats", "--stable"},
             {"stats", "--stable", "--json"},
         }) {
      ExpectSameByServer(args, options);
    }
  }
}

// The paths of documents and the styles of a terminal are those of the process.
TEST_F(RemoteTest, TheProcessSaysWhereItIs) {
  Serve();
  for (const bool terminal : {false, true}) {
    const RunOptions below = {.directory = Path("docs"), .terminal = terminal};
    ExpectSameByServer(kSearch, below);
    ExpectSameByServer({"get", "guide.md"}, below);
    ExpectSameByServer({"get", "../src/main.c:1"}, below);
    ExpectSameByServer({"similar", "./merge.md"}, below);
    ExpectSameByServer({"ls", "."}, below);
    ExpectSameByServer({"ls", "absent"}, below);
    const RunOptions plain = {.env = {{"TERM", "dumb"}, {"LANG", "C.UTF-8"}}, .terminal = terminal};
    ExpectSameByServer(kSearch, plain);
  }
  EXPECT_EQ(RunWith("always", {"get", "guide.md"}, {.directory = Path("docs")}).out,
            Read("docs/guide.md"));
}

// The event that a hook has read goes to the server.
TEST_F(RemoteTest, AHookIsAnsweredByTheServer) {
  Serve();
  const RunOptions merged = {.input = R"({"hook_event_name":"UserPromptSubmit",)"
                                      R"("prompt":"how are small segments merged"})"};
  EXPECT_NE(RunWith("always", {"hook"}, merged).out.find("docs/merge.md"), std::string::npos);
  ExpectSameByServer({"hook"}, merged);
  ExpectSameByServer({"hook", "prompt", "--verbose"}, {.input = R"({"prompt":"thanks"})"});
  ExpectSameByServer({"hook", "prompt", "--verbose"}, {.input = "no event"});
}

// A pager, a closed pipe and a full disk are those of the process.
TEST_F(RemoteTest, OutputGoesWhereThatOfTheProcessGoes) {
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += "Line " + std::to_string(i) + " of segments\n";
  Write("docs/long.txt", lines);
  ASSERT_EQ(Run({"add", "docs"}).exit, 0);
  Serve();
  const RunOptions paged = {.env = {{"TERM", "xterm"}, {"RECALL_PAGER", "sed s/^/P:/"}},
                            .terminal = true};
  ExpectSameByServer({"get", "docs/long.txt"}, paged);
  ExpectSameByServer({"get", "docs/long.txt", "absent"}, paged);
  ExpectSameByServer({"search", "segments", "-k", "2"}, paged);
  EXPECT_TRUE(RunWith("always", {"get", "docs/long.txt"}, paged).out.starts_with("P:Line 0"));
  for (const char* name : {"docs/long.txt", "absent"}) {
    ExpectSameByServer({"get", name}, {.stdout_file = "/dev/full"});
    ExpectSameByServer({"get", name}, {.stdout_closed = true});
    ExpectSameByServer({"get", name}, {.stdout_unread = true});
  }
}

// The server has neither the environment nor the settings of the process.
TEST_F(RemoteTest, SettingsAreThoseOfTheProcess) {
  Serve();
  for (const auto& env : std::vector<std::map<std::string, std::string>>{
           {{"RECALL_OUTPUT", "lean"}},
           {{"RECALL_JSON", "pretty"}},
           {{"RECALL_STABLE", "1"}},
           {{"RECALL_STAGES", "mmr"}, {"RECALL_FUSION", "weighted"}},
           {{"RECALL_MAX_LIMIT", "3"}},
           {{"RECALL_BM25_WEIGHT", "0.25"}, {"RECALL_VECTOR_WEIGHT", "7"}},
           {{"RECALL_VERIFY", "always"}},
           {{"RECALL_THREADS", "1"}},
           {{"RECALL_EMBEDDING", "hash"}},  // contradicts the store
       }) {
    SCOPED_TRACE(::testing::PrintToString(env));
    for (const Words& args : {Words{"search", "segments"},
                              {"search", "segments", "--lean"},
                              {"query", "FROM doc SELECT doc.path", "--jsonl", "--stable"},
                              {"get", "src/main.c", "--json"}}) {
      ExpectSameByServer(args, {.env = env});
    }
  }
  Write("recall.toml", "max_limit = 2\nno_such_key = 1\nstore_path = \"../other.db\"\n");
  ExpectSameByServer({"search", "segments", "-k", "2"}, {.env = {{"RECALL_STORE", directory()}}});
  ExpectSameByServer({"search", "segments"}, {.env = {{"RECALL_STORE", directory()}}});
  ExpectSameByServer({"search", "segments", "--jsonl", "--stable"},
                     {.env = {{"RECALL_STORE", Path("recall.db")}}});
}

TEST_F(RemoteTest, SomeCommandLinesNeedTheirProcess) {
  Serve();
  ExpectServed(true, kSearch);
  ExpectServed(false, {"search", "segments", "--explain", "--stable"});
  EXPECT_EQ(RunWith("always", {"stats", "--json"}).exit, 3);
  EXPECT_EQ(RunWith("auto", {"stats", "--json"}).exit, 0);
  ExpectServed(false, {"search", "@segments"});
  ExpectServed(false, kSearch, {.env = {{"RECALL_FTS", "sqlite"}}});
  EXPECT_EQ(RunWith("always", {"search", "segments", "--no-serve"}).exit, 0);
  EXPECT_EQ(RunWith("always", {"query", "--canonical", "FROM doc SELECT doc.path"}).exit, 0);
  EXPECT_EQ(RunWith("always", {"add", "docs"}).exit, 0);
  EXPECT_EQ(RunWith("sometimes", {"add", "docs"}).exit, 2);
  Write("mine.toml", "[embedders.mine]\nkind = \"command\"\ncommand = [\"false\"]\n");
  ExpectServed(false, {"search", "segments", "--config", "mine.toml"});
}

// Texts of standard input and files are read by the process, in its working directory.
TEST_F(RemoteTest, TextsAreThoseOfTheProcess) {
  Serve();
  Write("docs/filter", "doc.path GLOB 'docs/**'");
  Write("docs/wrong", "doc.path GLOB\n  doc.size AND");
  Write("docs/rql", "FROM doc SELECT doc.path\nLIMIT 2");
  const auto run = [&](const Words& args, const std::string& input = "") {
    ExpectSameByServer(args, {.directory = Path("docs"), .input = input});
  };
  run({"search", "-"}, "merged segments\n");
  run({"search", "-"}, "-- --json -k 1 @rql\n");
  run({"search", "-", "--json", "--stable"}, "\xEF\xBB\xBFmerged");
  run({"search", "segments", "--filter", "@filter"});
  run({"search", "segments", "--filter=@filter", "--lean"});
  run({"search", "segments", "--filter", "@wrong"});
  run({"search", "segments", "--filter", "@-"}, "doc.size > 10");
  run({"ls", "--filter", "@filter"});
  run({"query", "@rql"});
  run({"query", "--rql", "@rql", "--jsonl", "--stable"});
  run({"query", "-"}, "FROM doc SELECT doc.path");
  run({"query", "--rql-stdin"}, "FROM doc SELECT doc.path");
  run({"query", "--rql-stdin", "--json"}, "FROM doc SELECT");
  // Where it is not certain what is a text, the process does the work.
  const RunOptions here = {.directory = Path("docs")};
  ExpectServed(false, {"search", "@filter", "--filter", "@filter"}, here);
  ExpectServed(false, {"search", "-"}, {.input = "@filter"});
  ExpectServed(false, {"search", "-"}, {.input = "caf\xE9"});
}

TEST_F(RemoteTest, AnswersAreOfTheNewestCommit) {
  Serve();
  ExpectSameByServer(kSearch);
  Write("docs/new.md", "Segments that are merged anew: zebra.\n");
  ASSERT_EQ(Run({"add", "docs"}).exit, 0);
  const RunResult found = RunWith("always", {"search", "+zebra"});
  EXPECT_NE(found.out.find("docs/new.md"), std::string::npos) << found;
  ExpectSameByServer(kSearch);
  ASSERT_EQ(Run({"rm", "docs/new.md"}).exit, 0);
  EXPECT_EQ(RunWith("always", {"search", "+zebra"}).out, "");
}

TEST_F(RemoteTest, AStoreIsTheSameByAnyName) {
  Serve();
  fs::create_symlink(Path("recall.db"), Path("link.db"));
  fs::create_directory_symlink(directory(), Path("here"));
  ExpectSameByServer({"search", "segments", "--store", Path("link.db")});
  ExpectSameByServer({"stats", "--stable", "--store", Path("link.db")});
  ExpectSameByServer({"search", "segments", "--store", "here"}, {.terminal = true});
  ExpectSameByServer(kSearch);
}

TEST_F(RemoteTest, AnotherStoreIsNotAnswered) {
  Serve();
  fs::copy_file(Path("recall.db"), Path("copy.db"));  // with the same UUID
  ExpectServed(false, {"search", "segments", "--store", "copy.db"});
  ASSERT_EQ(Run({"add", "src", "--store", "copy.db"}).exit, 0);
  Serve({"--store", "copy.db", "--socket", Path("other.sock")});
  ExpectSameByServer({"search", "segments", "--store", "copy.db"});
  ExpectSameByServer({"stats", "--stable", "--store", "copy.db"});
  ExpectSameByServer({"stats", "--stable"});
  // Another file in the place of the store.
  Write("docs/fresh.md", "Fresh segments.\n");
  ASSERT_EQ(Run({"add", "docs", "--store", "copy.db"}).exit, 0);
  fs::rename(Path("copy.db"), Path("recall.db"));
  for (const char* name : {"recall.db-wal", "recall.db-shm"}) Erase(name);
  ExpectSameByServer({"search", "+fresh"});
}

TEST_F(RemoteTest, AServerWithAScopeIsNotAsked) {
  Serve({"--scope", "doc.path GLOB 'src/**'"});
  ExpectServed(false, kSearch);
}

// The program file tells builds apart.
TEST_F(RemoteTest, AServerOfAnotherBuildIsNotAsked) {
  Serve();
  ExpectServed(true, kSearch);
  fs::copy_file(RecallBinary(), Path("recall"));
  const std::string command = "XDG_RUNTIME_DIR=" + ShellQuoted(runtime_) +
                              " RECALL_SERVE=$choice ./recall search merged segments";
  const ShellResult always = RunShell("choice=always; " + command, directory());
  EXPECT_NE(always.out.find("the server refuses: HTTP/1.1 409"), std::string::npos) << always.out;
  const ShellResult automatic = RunShell("choice=auto; " + command, directory());
  EXPECT_EQ(automatic.exit, 0);
  EXPECT_EQ(automatic.out, Run(kSearch).out);
}

TEST_F(RemoteTest, AServerThatIsGoneIsNotMissed) {
  const pid_t server = Serve();
  const std::string alone = Run(kSearch).out;
  ExpectServed(true, kSearch);
  Stop(server, SIGKILL);  // leaves its socket and the link to it
  EXPECT_EQ(std::distance(fs::directory_iterator(runtime_ + "/recall"), {}), 2);
  const RunResult result = RunWith("auto", kSearch);
  EXPECT_EQ(result.out, alone);
  EXPECT_EQ(result.err, "");
  ExpectServed(false, kSearch);
  const pid_t next = Serve();
  ExpectServed(true, kSearch);
  Stop(next);
  EXPECT_TRUE(fs::is_empty(runtime_ + "/recall"));
}

// A process that is stopped accepts connections, but never answers.
TEST_F(RemoteTest, AServerThatHangsIsNotWaitedFor) {
  const pid_t server = Serve();
  const std::string alone = Run(kSearch).out;
  ::kill(server, SIGSTOP);
  const RunResult result = RunWith("auto", kSearch);
  EXPECT_EQ(result.out, alone);
  EXPECT_EQ(result.err, "");
  ::kill(server, SIGCONT);
  ExpectServed(true, kSearch);
}

TEST_F(RemoteTest, OneServerAnswersForSeveralStores) {
  Write("second/text.md", "Other segments.\n");
  ASSERT_EQ(Run({"init", "second"}).exit, 0);
  ASSERT_EQ(Run({"add", "second", "--store", "second"}).exit, 0);
  Serve({".", "second"});
  ExpectSameByServer({"search", "segments", "--store", "second"});
  ExpectSameByServer({"search", "segments"});
  ExpectSameByServer({"get", "text.md"}, {.directory = Path("second")});
  EXPECT_NE(RunWith("always", {"ls", "--store", "second"}).out, RunWith("always", {"ls"}).out);
}

// Without RECALL_SERVE, too. A busy machine may let single calls pass the server by.
TEST_F(RemoteTest, AServerIsUsedUnasked) {
  Serve();
  const auto calls = [&] {
    RawClient client = RawClient::ToSocket(LinkOfStore());
    client.Send("GET /metrics HTTP/1.1\r\nHost: recall\r\n\r\n");
    const std::string metrics = client.ReadResponse();
    constexpr std::string_view kCounter = "recall_requests_total{route=\"cli\",status=\"2xx\"} ";
    const size_t at = metrics.find(kCounter);
    return at == metrics.npos ? 0 : std::stoi(metrics.substr(at + kCounter.size()));
  };
  EXPECT_EQ(calls(), 0);
  const RunOptions options = {.env = {{"XDG_RUNTIME_DIR", runtime_}}};
  for (int i = 0; i < 100 && calls() == 0; ++i) EXPECT_EQ(Run(kSearch, options).exit, 0);
  EXPECT_GT(calls(), 0);
  const int before = calls();
  EXPECT_EQ(Run({"search", "segments", "--no-serve"}, options).exit, 0);
  EXPECT_EQ(RunWith("never", kSearch).exit, 0);
  // These would not be sooner.
  EXPECT_EQ(Run({"get", "docs/guide.md"}, options).exit, 0);
  EXPECT_EQ(Run({"ls"}, options).exit, 0);
  EXPECT_EQ(Run({"query", "FROM doc SELECT doc.path"}, options).exit, 0);
  EXPECT_EQ(calls(), before);
  const Words ranked = {"query", "from chunk using lexical('segments') select doc.path"};
  for (int i = 0; i < 100 && calls() == before; ++i) EXPECT_EQ(Run(ranked, options).exit, 0);
  EXPECT_GT(calls(), before);
}

// With RECALL_SERVE=start the first search starts a server, and prints what it prints without one.
TEST_F(RemoteTest, ASearchStartsAServer) {
  const RunResult alone = Run(kSearch);
  // No command that would not gain by it, and none that asks for a process of its own.
  EXPECT_EQ(RunWith("start", {"ls"}).exit, 0);
  EXPECT_EQ(RunWith("start", {"search", "segments", "--no-serve"}).exit, 0);
  EXPECT_EQ(RunWith("start", {"search", "segments", "--explain"}).exit, 0);
  EXPECT_EQ(RunWith("start", {"add", "docs"}).exit, 0);
  EXPECT_EQ(RunWith("auto", kSearch).exit, 0);
  EXPECT_FALSE(fs::exists(runtime_ + "/recall"));

  const RunResult first = RunWith("start", kSearch);
  EXPECT_EQ(first.out, alone.out);
  EXPECT_EQ(first.err, "");
  while (Listener() == 0) {
    // Nothing to print, nothing to wait for: searches work meanwhile.
    ASSERT_EQ(RunWith("start", kSearch).out, alone.out);
  }
  const pid_t server = Listener();
  EXPECT_NE(::getsid(server), ::getsid(0));
  ExpectSameByServer(kSearch);
  ExpectSameByServer({"get", "docs/guide.md"}, {.directory = Path("docs")});
  EXPECT_EQ(RunWith("start", kSearch).out, alone.out);
  EXPECT_EQ(Listener(), server) << "the one that runs is enough";
  // One that was killed leaves its link.
  ::kill(server, SIGKILL);
  while (Listener() != 0) {
  }
  EXPECT_EQ(RunWith("start", kSearch).out, alone.out);
}

// Processes that begin at the same time start one server.
TEST_F(RemoteTest, SearchesStartOneServer) {
  std::vector<pid_t> searches;
  const RunOptions options = {.env = {{"XDG_RUNTIME_DIR", runtime_}, {"RECALL_SERVE", "start"}}};
  for (int i = 0; i < 8; ++i) searches.push_back(Start(kSearch, options));
  for (const pid_t search : searches) Wait(search);
  while (Listener() == 0) {
  }
  const auto is_socket = [](const auto& entry) { return entry.path().extension() == ".sock"; };
  EXPECT_EQ(std::ranges::count_if(fs::directory_iterator(runtime_ + "/recall"), is_socket), 1);
  ::kill(Listener(), SIGTERM);
  while (Listener() != 0) {
  }
}

// Whatever answers at the place of a server, the process prints what it should, once.
TEST_F(RemoteTest, WrongAnswersAreNotPrinted) {
  const std::string alone = Run(kSearch).out;
  fs::create_directory(runtime_ + "/recall");
  const std::string link = LinkOfStore();
  for (const char* response :
       {"", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 503 Service Unavailable\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\ndata: out aGFsZg==\n",
        "HTTP/1.1 200 OK\r\n\r\ndata: out aGFsZg==\ndata: exit 0\n",
        "HTTP/1.1 200 OK\r\n\r\ndata: out %\ndata: exit 0\n\n"}) {
    for (const bool closes : {true, false}) {
      // One that has begun is waited for as long as its process, which is this one, runs.
      if (!closes && std::string(response).starts_with("HTTP/1.1 200")) continue;
      FakeServer server(link, response, closes);
      const RunResult result = RunWith("auto", kSearch);
      EXPECT_EQ(result.exit, 0) << response;
      EXPECT_EQ(result.out, alone) << response;
      EXPECT_EQ(result.err, "") << response;
      EXPECT_TRUE(server.WaitForRequest().starts_with("POST /cli "));
      ::unlink(link.c_str());
    }
  }
  const FakeServer server(
      link, "HTTP/1.1 200 OK\r\n\r\ndata: out aGFsZg==\ndata: error Kg==\ndata: exit 1\n\n", true);
  const RunResult result = RunWith("always", kSearch);
  EXPECT_EQ(result.out, "half");
  EXPECT_EQ(result.err, "*");
  EXPECT_EQ(result.exit, 1);
}

TEST_F(RemoteTest, AServerOfAnotherUserIsNotAsked) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can run programs of two users";
  const std::string link = LinkOfStore();
  fs::create_directory(runtime_ + "/recall");
  FakeServer server(link, "HTTP/1.1 200 OK\r\n\r\ndata: exit 0\n\n", true);
  ::chmod(link.c_str(), 0777);
  const RunResult result = RunWith("always", kSearch, {.unprivileged = true});
  EXPECT_EQ(result.exit, 3);
  EXPECT_NE(result.err.find("another user"), std::string::npos) << result;
  EXPECT_FALSE(server.was_asked());
}

TEST_F(RemoteTest, CtrlCEndsTheWait) {
  fs::create_directory(runtime_ + "/recall");
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  LinkOfStore().copy(address.sun_path, sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  const pid_t client =
      Start(kSearch, {.env = {{"XDG_RUNTIME_DIR", runtime_}, {"RECALL_SERVE", "always"}}});
  const int connection = ::accept(listener, nullptr, nullptr);
  char request[1 << 12];
  EXPECT_GT(::read(connection, request, sizeof(request)), 0);
  ::kill(client, SIGINT);
  EXPECT_EQ(Wait(client).exit, 130);
  EXPECT_EQ(::read(connection, request, sizeof(request)), 0) << "the connection is still open";
  ::close(connection);
  ::close(listener);
}

TEST_F(RemoteTest, DocumentsThatAreTooLargeToSendAreRead) {
  std::string large;
  for (int i = 0; large.size() < (size_t{5} << 20); ++i)
    large += "line " + std::to_string(i) + "\n";
  Write("docs/large.txt", large);
  ASSERT_EQ(Run({"add", "docs"}).exit, 0);
  Serve();
  ExpectServed(false, {"get", "docs/large.txt"});
  EXPECT_EQ(RunWith("auto", {"get", "docs/large.txt"}).out, large);
  ExpectSameByServer({"get", "docs/large.txt:9-50000"});
}

TEST_F(RemoteTest, OnlyTheUnixSocketTakesCalls) {
  Serve({"--http", "0"});
  const auto status = [](RawClient client, const std::string& method) {
    client.Send(method + " /cli HTTP/1.1\r\nHost: recall\r\nContent-Type: application/json\r\n" +
                "Content-Length: 2\r\n\r\n{}");
    return client.ReadResponse().substr(9, 3);
  };
  std::string socket;
  for (const auto& entry : fs::directory_iterator(runtime_ + "/recall")) {
    if (entry.path().extension() == ".sock") socket = entry.path();
  }
  EXPECT_EQ(status(RawClient::ToSocket(socket), "POST"), "400");
  EXPECT_EQ(status(RawClient::ToSocket(socket), "PUT"), "405");
}

}  // namespace
}  // namespace recall
