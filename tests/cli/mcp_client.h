#pragma once

// A client of `recall mcp` for tests.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/server/mcp/json_rpc.h"
#include "tests/cli/recall_process.h"

namespace recall {

struct ToolResponse {
  bool error = false;
  std::string text;
  Json structured = nullptr;

  // The lines of JSON before the last one, and the last one.
  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return lines;
  }
  Json Totals() const {
    const Json last = Json::parse(Lines().back(), nullptr, false);
    EXPECT_TRUE(last.is_object()) << text;
    return last;
  }
};

inline std::ostream& operator<<(std::ostream& out, const ToolResponse& response) {
  return out << (response.error ? "error " : "") << response.text.substr(0, 500);
}

// A client of revision 2025-11-25, which asks one thing at a time.
class McpClient final {
 public:
  explicit McpClient(std::unique_ptr<Conversation> conversation)
      : conversation_(std::move(conversation)) {
    Ask("initialize", {{"protocolVersion", "2025-11-25"}});
  }

  // Returns: the response, with `result` or `error`.
  Json Ask(const std::string& method, const Json& params = Json::object()) {
    conversation_->Send(
        Json{{"jsonrpc", "2.0"}, {"id", ++id_}, {"method", method}, {"params", params}}.dump());
    const std::string line = conversation_->NextLine();
    Json response = Json::parse(line, nullptr, false);
    EXPECT_TRUE(response.is_object()) << line;
    EXPECT_EQ(response["id"], id_) << line;
    return response;
  }
  // Calls a tool with a progress token. Returns: the notifications, then the response.
  std::vector<Json> CallWithProgress(const std::string& tool, const Json& arguments) {
    const Json params = {
        {"name", tool}, {"arguments", arguments}, {"_meta", {{"progressToken", "token-7"}}}};
    conversation_->Send(Json{
        {"jsonrpc", "2.0"},
        {"id", ++id_},
        {"method", "tools/call"},
        {"params", params}}.dump());
    std::vector<Json> messages;
    do {
      messages.push_back(Json::parse(conversation_->NextLine(), nullptr, false));
    } while (messages.back().is_object() && !messages.back().contains("id"));
    return messages;
  }
  ToolResponse Call(const std::string& tool, const Json& arguments = Json::object()) {
    const Json response = Ask("tools/call", {{"name", tool}, {"arguments", arguments}});
    EXPECT_TRUE(response.contains("result")) << response;
    if (!response.contains("result")) return {};
    const Json& result = response["result"];
    ToolResponse called;
    called.error = result.value("isError", false);
    called.text = result["content"][0]["text"].get<std::string>();
    if (result.contains("structuredContent")) called.structured = result["structuredContent"];
    return called;
  }
  std::string Finish() {
    const RunResult result = conversation_->Finish();
    EXPECT_EQ(result.exit, 0) << result;
    return result.out;
  }

 private:
  std::unique_ptr<Conversation> conversation_;
  int id_ = 0;
};

}  // namespace recall
