// Requests of a server to its client, by themselves, over HTTP and over standard input and output.

#include "cli/server/mcp/client_requests.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "cli/server/mcp/http_endpoint.h"
#include "cli/server/mcp/stdio_server.h"
#include "tests/cli/server/http/raw_client.h"
#include "tests/cli/server/mcp/fixture_service.h"
#include "tests/test_util.h"

namespace recall {
namespace {

class FakeExchange final : public McpExchange {
 public:
  explicit FakeExchange(McpEra era = McpEra::kLegacy) { context_.era = era; }
  const McpContext& context() const override { return context_; }
  void Notify(std::string_view, Json) override {}
  bool cancelled() const override { return cancelled_; }
  void Cancel() { cancelled_ = true; }

 private:
  McpContext context_;
  std::atomic<bool> cancelled_ = false;
};

RpcMessage ResponseTo(const Json& request, RpcAnswer answer) {
  RpcMessage response;
  response.kind = RpcMessage::Kind::kResponse;
  response.id = request["id"];
  response.answer = std::move(answer);
  return response;
}

TEST(ClientRequests, EachGetsItsOwnResponse) {
  ClientRequests requests;
  const FakeExchange exchange;
  std::promise<Json> first;
  auto waiting = std::async(std::launch::async, [&] {
    return requests.Ask(exchange, "a", Json::object(),
                        [&](const Json& request) { first.set_value(request); });
  });
  const Json other = first.get_future().get();
  const RpcAnswer second = requests.Ask(exchange, "b", {{"x", 1}}, [&](const Json& request) {
    EXPECT_EQ(request["method"], "b");
    EXPECT_EQ(request["params"], (Json{{"x", 1}}));
    EXPECT_NE(request["id"], other["id"]);
    requests.Take(ResponseTo(request, Json("of b")));
  });
  EXPECT_EQ(second.value(), "of b");
  requests.Take(ResponseTo(other, RpcFailure(RpcCode::kInvalidParams, "no")));
  const RpcAnswer answer = waiting.get();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, RpcCode::kInvalidParams);
  EXPECT_EQ(answer.error().message, "no");
}

TEST(ClientRequests, AResponseThatNobodyWaitsForIsIgnored) {
  ClientRequests requests;
  requests.Take(ResponseTo({{"id", "x"}}, Json(1)));
  requests.Take(ResponseTo({{"id", 7}}, Json(1)));
}

TEST(ClientRequests, FailIfNoResponseCanCome) {
  const auto code = [](const RpcAnswer& answer) {
    return answer ? RpcCode::kParseError : answer.error().code;
  };
  const auto ignore = [](const Json&) {};
  FakeExchange exchange;
  ClientRequests none(0);
  EXPECT_EQ(code(none.Ask(exchange, "a", {}, ignore)), RpcCode::kInternalError);
  ClientRequests impatient(1, std::chrono::milliseconds(0));
  EXPECT_EQ(code(impatient.Ask(exchange, "a", {}, ignore)), RpcCode::kInternalError);
  EXPECT_EQ(code(none.Ask(FakeExchange(McpEra::kModern), "a", {}, ignore)),
            RpcCode::kInternalError);
  ClientRequests requests;
  const auto cancel = [&](const Json&) {
    exchange.Cancel();
    requests.Wake();
  };
  EXPECT_EQ(code(requests.Ask(exchange, "a", {}, cancel)), RpcCode::kInternalError);
  const FakeExchange other;
  EXPECT_EQ(code(requests.Ask(other, "a", {}, [&](const Json&) { requests.End(); })),
            RpcCode::kInternalError);
}

// ---- Over HTTP ----------------------------------------------------------------------------------

class FixtureServer final : public HttpHandler {
 public:
  explicit FixtureServer(size_t workers)
      : endpoint_([] { return MakeFixtureService(std::make_shared<FixtureState>("")); }, workers) {
    HttpServerOptions options;
    options.socket_paths = {path_};
    options.workers = workers;
    server_ = Must(HttpServer::Listen(options, this));
    thread_ = std::thread([this] { EXPECT_OK(server_->Run()); });
  }
  ~FixtureServer() override {
    server_->Stop();
    thread_.join();
  }
  std::optional<HttpResponse> Refuse(const HttpHead&) override { return std::nullopt; }
  void Answer(size_t worker, const HttpRequest& request,
              const std::shared_ptr<HttpReply>& reply) override {
    endpoint_.Answer(worker, request, reply);
  }
  RawClient Connect() const { return RawClient::ToSocket(path_); }

 private:
  TempDir directory_;
  std::string path_ = directory_ / "socket";
  McpHttpEndpoint endpoint_;
  std::unique_ptr<HttpServer> server_;
  std::thread thread_;
};

std::string CallOf(const std::string& tool) {
  return R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": ")" + tool +
         R"(", "arguments": {"prompt": "Hello?"}}})";
}

// The messages of a stream of events, from its next bytes on.
class EventReader final {
 public:
  explicit EventReader(RawClient* client) : client_(client) { client_->ReadResponse(); }
  Json Next() {
    const std::string event = client_->ReadEvent();
    const size_t data = event.find("data: ");
    return data == std::string::npos ? Json() : Json::parse(event.substr(data + 6));
  }

 private:
  RawClient* client_;
};

TEST(ClientRequests, OverHttpTheResponseIsAPostOfItsOwn) {
  FixtureServer server(2);
  RawClient client = server.Connect();
  ASSERT_TRUE(client.Post("/mcp", CallOf("test_sampling")));
  EventReader events(&client);
  const Json request = events.Next();
  EXPECT_EQ(request["method"], "sampling/createMessage");
  RawClient other = server.Connect();
  const Json response = {{"jsonrpc", "2.0"},
                         {"id", request["id"]},
                         {"result", {{"content", {{"type", "text"}, {"text", "Hi!"}}}}}};
  ASSERT_TRUE(other.Post("/mcp", PrintJson(response)));
  EXPECT_EQ(other.ReadResponse().substr(0, 12), "HTTP/1.1 202");
  const Json answer = events.Next();
  EXPECT_EQ(answer["result"]["content"][0]["text"], "LLM response: Hi!");
}

// All workers but one may wait: that one takes the responses.
TEST(ClientRequests, OverHttpOneWorkerNeverWaits) {
  FixtureServer server(2);
  RawClient first = server.Connect();
  ASSERT_TRUE(first.Post("/mcp", CallOf("test_sampling")));
  EventReader events(&first);
  const Json request = events.Next();
  RawClient second = server.Connect();
  ASSERT_TRUE(second.Post("/mcp", CallOf("test_sampling")));
  const std::string refused = second.ReadResponse();
  EXPECT_NE(refused.find("too many requests wait"), std::string::npos) << refused;
  const Json error = {
      {"jsonrpc", "2.0"}, {"id", request["id"]}, {"error", {{"code", -1}, {"message", "No."}}}};
  ASSERT_TRUE(second.Post("/mcp", PrintJson(error)));
  const Json answer = events.Next();
  EXPECT_EQ(answer["result"]["content"][0]["text"], "No.");
  EXPECT_EQ(answer["result"]["isError"], true);
}

// ---- Over standard input and output -------------------------------------------------------------

TEST(ClientRequests, OverStdioTheResponseIsALine) {
  int in[2];
  int out[2];
  ASSERT_EQ(::pipe2(in, O_CLOEXEC), 0);
  ASSERT_EQ(::pipe2(out, O_CLOEXEC), 0);
  auto served = std::async(std::launch::async, [&] {
    const Status status =
        ServeStdio([] { return MakeFixtureService(std::make_shared<FixtureState>("")); },
                   {.in = in[0], .out = out[1], .workers = 1});
    ::close(out[1]);
    return status;
  });
  const auto send = [&](const std::string& line) {
    ASSERT_EQ(::write(in[1], (line + "\n").data(), line.size() + 1), ssize_t(line.size() + 1));
  };
  const auto receive = [&] {
    std::string line;
    char c = 0;
    while (::read(out[0], &c, 1) == 1 && c != '\n') line += c;
    return Json::parse(line, nullptr, false);
  };
  send(CallOf("test_sampling"));
  const Json request = receive();
  EXPECT_EQ(request["params"]["messages"][0]["content"]["text"], "Hello?");
  send(PrintJson({{"jsonrpc", "2.0"},
                  {"id", request["id"]},
                  {"result", {{"content", {{"type", "text"}, {"text", "Hi!"}}}}}}));
  EXPECT_EQ(receive()["result"]["content"][0]["text"], "LLM response: Hi!");
  // Without input no response can come.
  send(CallOf("test_sampling"));
  receive();
  ::close(in[1]);
  EXPECT_EQ(receive()["result"]["isError"], true);
  EXPECT_OK(served.get());
  ::close(in[0]);
  ::close(out[0]);
}

}  // namespace
}  // namespace recall
