// The dispatcher, between a client of either era and a service.

#include "cli/server/mcp/dispatcher.h"

#include <gtest/gtest.h>

#include "tests/cli/server/mcp/fake_service.h"

namespace recall {
namespace {

constexpr const char* kVersion = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kCapabilities = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* kServer = "io.modelcontextprotocol/serverInfo";

class FixedExchange final : public McpExchange {
 public:
  explicit FixedExchange(McpContext context) : context_(std::move(context)) {}
  const McpContext& context() const override { return context_; }
  void Notify(std::string_view, Json) override {}
  bool cancelled() const override { return false; }

 private:
  McpContext context_;
};

RpcMessage Request(const std::string& method, Json params = Json::object()) {
  RpcMessage request;
  request.id = 1;
  request.method = method;
  request.params = std::move(params);
  return request;
}

RpcMessage Modern(const std::string& method, Json params = Json::object()) {
  params["_meta"][kVersion] = kModernRevision;
  params["_meta"][kCapabilities] = Json::object();
  return Request(method, std::move(params));
}

class DispatcherTest : public ::testing::Test {
 protected:
  RpcAnswer Ask(const RpcMessage& request, const std::string& agreed = "2025-11-25") {
    auto context = ContextOf(request, agreed);
    if (!context) return tl::unexpected(context.error());
    FixedExchange exchange(*std::move(context));
    return Dispatch(service_, request, exchange);
  }
  RpcCode ErrorOf(const RpcMessage& request, const std::string& agreed = "2025-11-25") {
    const RpcAnswer answer = Ask(request, agreed);
    EXPECT_FALSE(answer.has_value()) << request.method << ": " << *answer;
    return answer ? RpcCode::kInternalError : answer.error().code;
  }

  FakeService service_{std::make_shared<FakeWorld>()};
};

TEST_F(DispatcherTest, InitializeAgreesOnARevision) {
  for (const std::string_view revision : LegacyRevisions()) {
    const RpcAnswer answer = Ask(Request("initialize", {{"protocolVersion", revision}}), "");
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ((*answer)["protocolVersion"], revision);
    EXPECT_EQ((*answer)["serverInfo"]["name"], "fake");
    EXPECT_EQ((*answer)["instructions"], "be kind");
    EXPECT_FALSE(answer->contains("resultType"));
  }
  for (const char* unknown : {"1999-01-01", "2026-07-28", ""}) {
    const RpcAnswer answer = Ask(Request("initialize", {{"protocolVersion", unknown}}), "");
    EXPECT_EQ((*answer)["protocolVersion"], LegacyRevisions().back()) << unknown;
  }
}

TEST_F(DispatcherTest, LegacyResultsArePlain) {
  for (const char* method : {"tools/list", "resources/list", "resources/templates/list",
                             "prompts/list", "completion/complete", "ping"}) {
    const RpcAnswer answer = Ask(Request(method));
    ASSERT_TRUE(answer.has_value()) << method;
    for (const char* added : {"resultType", "ttlMs", "cacheScope", "_meta"}) {
      EXPECT_FALSE(answer->contains(added)) << method << " " << added;
    }
  }
}

TEST_F(DispatcherTest, ModernResultsHaveTheEnvelope) {
  struct Case {
    const char* method;
    Json params;
    bool cacheable;
  };
  const Case cases[] = {
      {"server/discover", Json::object(), true}, {"tools/list", Json::object(), true},
      {"resources/list", Json::object(), true},  {"resources/templates/list", Json::object(), true},
      {"prompts/list", Json::object(), true},    {"prompts/get", {{"name", "p"}}, false},
      {"tools/call", {{"name", "echo"}}, false}, {"completion/complete", Json::object(), false}};
  for (const Case& c : cases) {
    const RpcAnswer answer = Ask(Modern(c.method, c.params));
    ASSERT_TRUE(answer.has_value()) << c.method;
    EXPECT_EQ((*answer)["resultType"], "complete") << c.method;
    EXPECT_EQ((*answer)["_meta"][kServer]["name"], "fake") << c.method;
    EXPECT_EQ(answer->contains("ttlMs"), c.cacheable) << c.method;
    EXPECT_EQ(answer->contains("cacheScope"), c.cacheable) << c.method;
  }
  const RpcAnswer discovered = Ask(Modern("server/discover"));
  EXPECT_EQ((*discovered)["supportedVersions"], Json::array({kModernRevision}));
  EXPECT_EQ((*discovered)["capabilities"], service_.Capabilities());
  EXPECT_EQ((*Ask(Modern("resources/list")))["ttlMs"], 0);  // documents change at any time
}

TEST_F(DispatcherTest, EachEraHasItsMethods) {
  for (const char* method : {"initialize", "ping", "logging/setLevel", "resources/subscribe",
                             "resources/unsubscribe", "no/such"}) {
    EXPECT_EQ(ErrorOf(Modern(method)), RpcCode::kMethodNotFound) << method;
  }
  EXPECT_EQ(ErrorOf(Request("no/such")), RpcCode::kMethodNotFound);
  EXPECT_EQ(ErrorOf(Request("")), RpcCode::kMethodNotFound);
  // server/discover asks for the modern era, so what is wrong is that its request says nothing.
  EXPECT_EQ(ErrorOf(Request("server/discover")), RpcCode::kInvalidParams);
}

TEST_F(DispatcherTest, ModernRequestsSayTheirRevisionAndCapabilities) {
  RpcMessage without = Modern("tools/list");
  without.params["_meta"].erase(kCapabilities);
  EXPECT_EQ(ErrorOf(without), RpcCode::kInvalidParams);
  RpcMessage number = Modern("tools/list");
  number.params["_meta"][kVersion] = 20260728;
  EXPECT_EQ(ErrorOf(number), RpcCode::kInvalidParams);

  RpcMessage other = Modern("tools/list");
  other.params["_meta"][kVersion] = "2030-01-01";
  const RpcAnswer refused = Ask(other);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, RpcCode::kUnsupportedProtocolVersion);
  EXPECT_EQ(refused.error().data["supported"], Json::array({kModernRevision}));
  EXPECT_EQ(refused.error().data["requested"], "2030-01-01");
}

TEST_F(DispatcherTest, AMissingResourceHasTheCodeOfItsEra) {
  const Json params = {{"uri", "recall://doc/x"}};
  EXPECT_EQ(ErrorOf(Request("resources/read", params)), RpcCode::kResourceNotFound);
  EXPECT_EQ(ErrorOf(Modern("resources/read", params)), RpcCode::kInvalidParams);
}

TEST_F(DispatcherTest, ParametersAreChecked) {
  EXPECT_EQ(ErrorOf(Request("tools/call")), RpcCode::kInvalidParams);
  EXPECT_EQ(ErrorOf(Request("tools/call", {{"name", 3}})), RpcCode::kInvalidParams);
  EXPECT_EQ(ErrorOf(Request("tools/call", {{"name", "echo"}, {"arguments", "x"}})),
            RpcCode::kInvalidParams);
  EXPECT_EQ(ErrorOf(Request("resources/read")), RpcCode::kInvalidParams);
  EXPECT_EQ(ErrorOf(Request("resources/list", {{"cursor", 1}})), RpcCode::kInvalidParams);
  EXPECT_EQ(ErrorOf(Request("prompts/get")), RpcCode::kInvalidParams);
  for (const char* method : {"tools/list", "prompts/list", "resources/templates/list"}) {
    EXPECT_EQ(ErrorOf(Request(method, {{"cursor", "x"}})), RpcCode::kInvalidParams) << method;
  }
  EXPECT_TRUE(Ask(Request("tools/call", {{"name", "echo"}, {"arguments", nullptr}})).has_value());
}

}  // namespace
}  // namespace recall
