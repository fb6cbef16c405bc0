// The server over pipes. Nothing waits for time: the tools of the fake service tell when they run,
// and a `ping` that is answered shows that everything before it was read.

#include "cli/server/mcp/stdio_server.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <thread>

#include "tests/cli/server/mcp/fake_service.h"
#include "tests/test_util.h"

namespace recall {
namespace {

class StdioServerTest : public ::testing::Test {
 protected:
  StdioServerTest() { ::signal(SIGPIPE, SIG_IGN); }
  ~StdioServerTest() override {
    EndInput();
    if (server_.joinable()) server_.join();
    CloseOutput();
  }

  void Serve(size_t workers) {
    int in[2];
    int out[2];
    ASSERT_EQ(::pipe2(in, O_CLOEXEC), 0);
    ASSERT_EQ(::pipe2(out, O_CLOEXEC), 0);
    input_ = in[1];
    output_ = out[0];
    server_ = std::thread([this, in = in[0], out = out[1], workers] {
      status_ = ServeStdio([this] { return std::make_unique<FakeService>(world_); },
                           {.in = in, .out = out, .workers = workers});
      ::close(in);
      ::close(out);
    });
  }

  void Send(std::string text) {
    text += '\n';
    SendBytes(text);
  }
  void SendBytes(std::string_view text) {
    while (!text.empty()) {
      const ssize_t count = ::write(input_, text.data(), text.size());
      ASSERT_GT(count, 0);
      text.remove_prefix(static_cast<size_t>(count));
    }
  }
  void Call(const Json& id, const std::string& tool, const std::string& label) {
    Send(PrintJson(CallOf(id, tool, label)));
  }
  static Json CallOf(const Json& id, const std::string& tool, const std::string& label) {
    return {{"jsonrpc", "2.0"},
            {"id", id},
            {"method", "tools/call"},
            {"params", {{"name", tool}, {"arguments", {{"label", label}}}}}};
  }
  void Initialize(const std::string& revision) {
    Send(R"({"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":")" +
         revision + "\"}}");
    EXPECT_EQ(Next()["result"]["protocolVersion"], revision);
  }
  void Cancel(const Json& id) {
    Send(PrintJson({{"jsonrpc", "2.0"},
                    {"method", "notifications/cancelled"},
                    {"params", {{"requestId", id}}}}));
  }
  // Returns when everything that was sent before has been read.
  void Ping() {
    Send(R"({"jsonrpc":"2.0","id":"ping","method":"ping"})");
    EXPECT_EQ(Next()["id"], "ping");
  }

  // The next message of the server.
  Json Next() {
    while (read_.find('\n') == std::string::npos) {
      char block[1 << 12];
      const ssize_t count = ::read(output_, block, sizeof(block));
      if (count <= 0) {
        ADD_FAILURE() << "the output has ended";
        return nullptr;
      }
      read_.append(block, static_cast<size_t>(count));
    }
    const size_t end = read_.find('\n');
    Json json = Json::parse(read_.substr(0, end), nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << read_.substr(0, end);
    read_.erase(0, end + 1);
    return json;
  }
  void EndInput() {
    if (input_ >= 0) ::close(input_);
    input_ = -1;
  }
  void CloseOutput() {
    if (output_ >= 0) ::close(output_);
    output_ = -1;
  }
  // Ends the input. Returns: all further messages by id; the server has ended without an error.
  std::map<std::string, Json> Rest() {
    EndInput();
    char block[1 << 12];
    for (ssize_t count = 0; (count = ::read(output_, block, sizeof(block))) > 0;) {
      read_.append(block, static_cast<size_t>(count));
    }
    server_.join();
    EXPECT_OK(status_);
    std::map<std::string, Json> rest;
    while (!read_.empty()) {
      Json message = Next();
      const std::string id = message.is_array() ? "batch" : message["id"].dump();
      EXPECT_TRUE(rest.emplace(id, std::move(message)).second) << "two answers for " << id;
    }
    return rest;
  }

  std::shared_ptr<FakeWorld> world_ = std::make_shared<FakeWorld>();
  std::thread server_;
  Status status_;
  int input_ = -1;
  int output_ = -1;
  std::string read_;
};

TEST_F(StdioServerTest, AnswersOvertakeEachOther) {
  Serve(2);
  Call(1, "wait", "a");
  world_->AwaitCall("a");
  Call(2, "echo", "b");
  EXPECT_EQ(Next(), RpcResponse(2, Json{{"label", "b"}}));
  world_->Open("a");
  EXPECT_EQ(Next(), RpcResponse(1, Json{{"label", "a"}}));
  EXPECT_TRUE(Rest().empty());
}

TEST_F(StdioServerTest, InitializeAndPingDoNotWaitForRequests) {
  Serve(1);
  Call(1, "wait", "a");
  world_->AwaitCall("a");
  Call(2, "echo", "b");
  Initialize("2025-06-18");
  Ping();
  EXPECT_FALSE(world_->WasCalled("b"));
  world_->Open("a");
  EXPECT_EQ(Next()["id"], 1);
  EXPECT_EQ(Next()["id"], 2);
}

TEST_F(StdioServerTest, ACancelledRunningRequestHasNoAnswer) {
  Serve(1);
  Call(1, "wait", "a");
  world_->AwaitCall("a");
  Cancel(1);
  Call(2, "echo", "b");  // by the same service, which is not cancelled any more
  Call(1, "echo", "c");  // the id is free again, or will be
  const auto rest = Rest();
  EXPECT_EQ(rest.at("2")["result"]["label"], "b");
  if (rest.contains("1")) {
    const Json& again = rest.at("1");
    EXPECT_TRUE(again.contains("error") || again["result"]["label"] == "c") << again;
  }
}

TEST_F(StdioServerTest, ACancelledWaitingRequestIsNeverStarted) {
  Serve(1);
  Call(1, "wait", "a");
  world_->AwaitCall("a");
  Call("x", "echo", "b");
  Call(3, "echo", "c");
  Cancel("x");
  Ping();
  world_->Open("a");
  const auto rest = Rest();
  EXPECT_EQ(rest.size(), 2u);
  EXPECT_TRUE(rest.contains("1"));
  EXPECT_TRUE(rest.contains("3"));
  EXPECT_FALSE(world_->WasCalled("b"));
}

TEST_F(StdioServerTest, OtherCancellationsChangeNothing) {
  Serve(1);
  Call(1, "wait", "a");
  world_->AwaitCall("a");
  Cancel("1");  // the text, not the number
  Cancel(99);
  Cancel(nullptr);
  Cancel(Json::object());
  Send(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})");
  Ping();
  world_->Open("a");
  EXPECT_EQ(Rest().at("1")["result"]["label"], "a");
}

TEST_F(StdioServerTest, AnIdThatIsInUseIsRefused) {
  Serve(1);
  Call(1, "wait", "a");
  world_->AwaitCall("a");
  Call(1, "echo", "b");
  EXPECT_EQ(Next()["error"]["code"], static_cast<int>(RpcCode::kInvalidRequest));
  Call(2, "echo", "c");
  Call(2, "echo", "d");
  EXPECT_EQ(Next()["error"]["code"], static_cast<int>(RpcCode::kInvalidRequest));
  world_->Open("a");
  EXPECT_EQ(Next()["result"]["label"], "a");
  EXPECT_EQ(Next()["result"]["label"], "c");
  Call(1, "echo", "e");  // answered before, so it is free
  EXPECT_EQ(Next()["result"]["label"], "e");
  EXPECT_FALSE(world_->WasCalled("b"));
}

TEST_F(StdioServerTest, ABatchIsAnsweredTogether) {
  Serve(2);
  Initialize("2025-03-26");
  Json batch = Json::array();
  batch.push_back(CallOf(1, "wait", "a"));
  batch.push_back(CallOf(2, "echo", "b"));
  batch.push_back({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
  batch.push_back({{"jsonrpc", "2.0"}, {"id", 3}, {"method", "ping"}});
  batch.push_back({{"jsonrpc", "2.0"}, {"id", 4}, {"method", "no/such"}});
  batch.push_back("nonsense");
  batch.push_back({{"jsonrpc", "2.0"}, {"id", 9}, {"result", Json::object()}});
  Send(PrintJson(batch));
  world_->AwaitCall("b");
  Ping();
  world_->Open("a");
  const Json answers = Next();
  ASSERT_TRUE(answers.is_array());
  std::map<std::string, Json> by_id;
  for (const Json& answer : answers) by_id[answer["id"].dump()] = answer;
  EXPECT_EQ(answers.size(), 5u);
  EXPECT_EQ(by_id["1"]["result"]["label"], "a");
  EXPECT_EQ(by_id["2"]["result"]["label"], "b");
  EXPECT_EQ(by_id["3"]["result"], Json::object());
  EXPECT_EQ(by_id["4"]["error"]["code"], static_cast<int>(RpcCode::kMethodNotFound));
  EXPECT_EQ(by_id["null"]["error"]["code"], static_cast<int>(RpcCode::kInvalidRequest));
}

TEST_F(StdioServerTest, CancelledRequestsOfABatchAreLeftOut) {
  Serve(1);
  Initialize("2025-03-26");
  Json batch = Json::array();
  batch.push_back(CallOf(1, "wait", "a"));
  batch.push_back(CallOf(2, "echo", "b"));
  batch.push_back(CallOf(3, "echo", "c"));
  Send(PrintJson(batch));
  world_->AwaitCall("a");
  Cancel(2);
  Cancel(1);
  const auto rest = Rest();
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest.at("batch"), Json::array({RpcResponse(3, Json{{"label", "c"}})}));
}

TEST_F(StdioServerTest, ABatchWithoutRequestsHasNoAnswer) {
  Serve(1);
  Initialize("2025-03-26");
  Send(R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])");
  Ping();
  Json batch = Json::array({CallOf(1, "wait", "a")});
  Send(PrintJson(batch));
  world_->AwaitCall("a");
  Cancel(1);
  Ping();
  EXPECT_TRUE(Rest().empty());
}

TEST_F(StdioServerTest, OtherRevisionsHaveNoBatches) {
  Serve(1);
  const std::string batch = PrintJson(Json::array({CallOf(1, "echo", "a")}));
  Send(batch);
  EXPECT_EQ(Next()["error"]["code"], static_cast<int>(RpcCode::kInvalidRequest));
  Initialize("2025-06-18");
  Send(batch);
  EXPECT_EQ(Next()["error"]["code"], static_cast<int>(RpcCode::kInvalidRequest));
  Send("[]");
  EXPECT_EQ(Next()["error"]["code"], static_cast<int>(RpcCode::kInvalidRequest));
  EXPECT_FALSE(world_->WasCalled("a"));
}

// An `initialize` that says it is of the era without it is refused, and agrees on nothing.
TEST_F(StdioServerTest, ARefusedInitializeChangesNothing) {
  Serve(1);
  Send(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2026-07-28",)"
       R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
       R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
  EXPECT_EQ(Next()["error"]["code"], static_cast<int>(RpcCode::kMethodNotFound));
  Call(2, "echo", "a");
  EXPECT_EQ(Next()["result"]["label"], "a");
}

TEST_F(StdioServerTest, LinesThatAreTooLongAreSkipped) {
  Serve(1);
  for (const size_t beyond : {size_t{1}, size_t{100'000}, kMostMessageBytes * 2}) {
    Send(std::string(kMostMessageBytes + beyond, 'x'));
    EXPECT_EQ(Next()["error"]["code"], static_cast<int>(RpcCode::kInvalidRequest));
    Ping();
  }
  std::string longest = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  longest += std::string(kMostMessageBytes - longest.size(), ' ');
  Send(longest);
  EXPECT_EQ(Next(), RpcResponse(1, Json::object()));
  SendBytes(std::string(kMostMessageBytes + 1, 'x'));  // and the input ends within it
  EXPECT_EQ(Rest().size(), 1u);
}

TEST_F(StdioServerTest, EmptyLinesAndReturnsAreIgnored) {
  Serve(1);
  SendBytes("\n\r\n  \t\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n");
  EXPECT_EQ(Next(), RpcResponse(1, Json::object()));
  EXPECT_TRUE(Rest().empty());
}

TEST_F(StdioServerTest, TheEndOfTheInputDrainsTheQueue) {
  Serve(1);
  Call(0, "wait", "a");
  for (int id = 1; id <= 50; ++id) Call(id, "echo", "b");
  SendBytes(PrintJson(CallOf(51, "echo", "c")));  // a last line without a newline
  EndInput();
  world_->Open("a");
  const auto rest = Rest();
  EXPECT_EQ(rest.size(), 52u);
  EXPECT_EQ(rest.at("51")["result"]["label"], "c");
}

TEST_F(StdioServerTest, AClientThatClosesTheOutputEndsTheServer) {
  Serve(1);
  Ping();
  CloseOutput();
  Send(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  server_.join();  // although the input is still open
  EXPECT_OK(status_);
}

}  // namespace
}  // namespace recall
