#include "cli/server/mcp/json_rpc.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

RpcMessage Good(std::string_view text) {
  RpcMessages parsed = ParseRpcMessages(text);
  EXPECT_EQ(parsed.messages.size(), 1u) << text;
  EXPECT_TRUE(parsed.messages.at(0).has_value()) << text;
  return parsed.messages[0] ? *parsed.messages[0] : RpcMessage();
}

BadRpcMessage Bad(std::string_view text) {
  RpcMessages parsed = ParseRpcMessages(text);
  EXPECT_EQ(parsed.messages.size(), 1u) << text;
  EXPECT_FALSE(parsed.messages.at(0).has_value()) << text;
  return parsed.messages[0] ? BadRpcMessage() : parsed.messages[0].error();
}

TEST(JsonRpcTest, RequestsNotificationsAndResponses) {
  const RpcMessage request = Good(R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1}})");
  EXPECT_EQ(request.kind, RpcMessage::Kind::kRequest);
  EXPECT_EQ(request.id, 7);
  EXPECT_EQ(request.method, "m");
  EXPECT_EQ(request.params, Json({{"a", 1}}));

  const RpcMessage notification = Good(R"({"jsonrpc":"2.0","method":"n","params":null})");
  EXPECT_EQ(notification.kind, RpcMessage::Kind::kNotification);
  EXPECT_EQ(notification.params, Json::object());

  for (const char* text : {R"({"jsonrpc":"2.0","id":"x","result":{}})",
                           R"({"jsonrpc":"2.0","id":"x","error":{"code":1,"message":""}})"}) {
    EXPECT_EQ(Good(text).kind, RpcMessage::Kind::kResponse) << text;
  }
}

TEST(JsonRpcTest, IdsAreTextsAndIntegers) {
  for (const char* id :
       {"0", "-1", "9223372036854775807", "18446744073709551615", "\"\"", "\"1\""}) {
    const std::string text = R"({"jsonrpc":"2.0","method":"m","id":)" + std::string(id) + "}";
    EXPECT_EQ(Good(text).id.dump(), id);
  }
  for (const char* id : {"null", "1.5", "1e2", "true", "[1]", "{}"}) {
    const std::string text = R"({"jsonrpc":"2.0","method":"m","id":)" + std::string(id) + "}";
    const BadRpcMessage bad = Bad(text);
    EXPECT_EQ(bad.error.code, RpcCode::kInvalidRequest) << text;
    EXPECT_TRUE(bad.id.is_null()) << text;
  }
}

TEST(JsonRpcTest, ErrorsHaveTheIdIfItCouldBeRead) {
  struct Case {
    const char* text;
    RpcCode code;
    Json id;
  };
  const Case cases[] = {
      {R"({"id":1,"method":"m"})", RpcCode::kInvalidRequest, 1},
      {R"({"jsonrpc":"1.0","id":"a","method":"m"})", RpcCode::kInvalidRequest, "a"},
      {R"({"jsonrpc":"2.0","id":2})", RpcCode::kInvalidRequest, 2},
      {R"({"jsonrpc":"2.0","id":2,"method":3})", RpcCode::kInvalidRequest, 2},
      {R"({"jsonrpc":"2.0","id":2,"method":"m","params":[]})", RpcCode::kInvalidParams, 2},
      {R"({"jsonrpc":"2.0","id":2,"method":"m","params":"p"})", RpcCode::kInvalidParams, 2},
      {"1", RpcCode::kInvalidRequest, nullptr},
      {"\"m\"", RpcCode::kInvalidRequest, nullptr},
      {"null", RpcCode::kInvalidRequest, nullptr},
  };
  for (const Case& c : cases) {
    const BadRpcMessage bad = Bad(c.text);
    EXPECT_EQ(bad.error.code, c.code) << c.text;
    EXPECT_EQ(bad.id, c.id) << c.text;
    EXPECT_FALSE(bad.error.message.empty()) << c.text;
  }
}

TEST(JsonRpcTest, TextThatIsNoJsonIsAParseError) {
  const std::string cut(R"({"jsonrpc":"2.0","id":1,"method":"m"})");
  for (size_t size = 0; size < cut.size(); ++size) {
    EXPECT_EQ(Bad(cut.substr(0, size)).error.code, RpcCode::kParseError) << size;
  }
  for (const std::string& text :
       {cut + "}", cut + cut, std::string("\xff"), std::string(R"({"a":"\ud800"})"),
        std::string("{\"a\":\"\xc3\"}"), std::string("{'a':1}"), std::string("{\"a\":1e999}"),
        std::string("{\"a\":\"\0\"}", 9)}) {
    EXPECT_EQ(Bad(text).error.code, RpcCode::kParseError) << text;
  }
}

TEST(JsonRpcTest, DepthAndLengthAreLimited) {
  const auto nested = [](size_t depth) {
    return R"({"jsonrpc":"2.0","id":1,"method":"m","params":)" + std::string(R"({"a":)") +
           std::string(depth, '[') + std::string(depth, ']') + "}}";
  };
  EXPECT_EQ(Good(nested(kMostMessageDepth - 2)).id, 1);
  EXPECT_EQ(Bad(nested(kMostMessageDepth - 1)).error.code, RpcCode::kInvalidRequest);
  EXPECT_EQ(Bad(std::string(1 << 20, '[')).error.code, RpcCode::kInvalidRequest);
  // Brackets within texts are no nesting, even behind escaped quotes.
  const std::string text = R"({"jsonrpc":"2.0","id":1,"method":"m\"[[\\","params":{"a":")" +
                           std::string(1000, '{') + "\"}}";
  EXPECT_EQ(Good(text).method, "m\"[[\\");

  const std::string head = R"({"jsonrpc":"2.0","id":1,"method":")";
  const std::string longest = head + std::string(kMostMessageBytes - head.size() - 2, 'm') + "\"}";
  EXPECT_EQ(longest.size(), kMostMessageBytes);
  EXPECT_EQ(Good(longest).id, 1);
  EXPECT_EQ(Bad(longest + " ").error.code, RpcCode::kInvalidRequest);
}

TEST(JsonRpcTest, ValuesAreLimited) {
  // 1 MiB of members. Each name was once compared with all before it, which took 20 s.
  std::string members;
  for (int i = 0; i < 104'000; ++i) members += ",\"" + std::to_string(i) + "\":1";
  const std::string text = R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1)" + members;
  EXPECT_EQ(Bad(text + "}}").error.code, RpcCode::kInvalidRequest);
  EXPECT_EQ(ParseJson("{\"a\":1" + members + "}"), std::nullopt);
}

TEST(JsonRpcTest, ABatchHasItsGoodAndItsBadMessages) {
  const RpcMessages batch = ParseRpcMessages(
      R"([{"jsonrpc":"2.0","id":1,"method":"a"},5,{"jsonrpc":"2.0","method":"b"}])");
  EXPECT_TRUE(batch.batch);
  ASSERT_EQ(batch.messages.size(), 3u);
  EXPECT_TRUE(batch.messages[0].has_value());
  EXPECT_FALSE(batch.messages[1].has_value());
  EXPECT_TRUE(batch.messages[2].has_value());
  // An empty batch is one bad message, which is answered as such (JSON-RPC 2.0, section 6).
  const RpcMessages empty = ParseRpcMessages("[]");
  EXPECT_FALSE(empty.batch);
  ASSERT_EQ(empty.messages.size(), 1u);
  EXPECT_EQ(empty.messages[0].error().error.code, RpcCode::kInvalidRequest);
}

TEST(JsonRpcTest, PrintedMessagesAreOneLineOfUtf8) {
  const Json json = {{"a", "line\nline\r"}, {"b", "caf\xe9"}};
  const std::string printed = PrintJson(json);
  EXPECT_EQ(printed, "{\"a\":\"line\\nline\\r\",\"b\":\"caf\xef\xbf\xbd\"}");
  const Json failed = RpcResponse("x", RpcFailure(RpcCode::kInvalidParams, "no", {{"why", 1}}));
  EXPECT_EQ(
      PrintJson(failed),
      R"({"jsonrpc":"2.0","id":"x","error":{"code":-32602,"message":"no","data":{"why":1}}})");
  EXPECT_EQ(PrintJson(RpcResponse(3, Json::object())), R"({"jsonrpc":"2.0","id":3,"result":{}})");
}

}  // namespace
}  // namespace recall
