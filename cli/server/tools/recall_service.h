#pragma once

// The MCP service of a store: tools, resources and prompts, each answered by running commands of
// `recall`, so that rules, errors and JSON are those of the command line.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/server/mcp/service.h"
#include "cli/server/tools/auto_index.h"
#include "cli/server/tools/command_runner.h"
#include "cli/server/tools/cursor.h"
#include "cli/server/tools/tool_arguments.h"
#include "cli/server/tools/tool_table.h"

namespace recall {

// The least and the default number of tokens of an answer.
inline constexpr int64_t kLeastAnswerTokens = 100;
inline constexpr int64_t kAnswerTokens = 4000;

// In `tools`: all tools but those that are offered on request.
inline constexpr std::string_view kUsualTools = "default";

struct RecallServiceOptions {
  McpServerInfo info;
  std::string scope;                      // as in OpenOptions; it is shown by `status`
  std::vector<std::string> tools;         // the names of those offered; empty: the usual ones
  bool allow_write = false;               // also offer the tools that write
  bool structured = false;                // answers also as structuredContent
  int64_t max_tokens = kAnswerTokens;     // the most of one answer
  std::string root;                       // only files below this directory are read
  std::shared_ptr<AutoIndex> auto_index;  // null: the store is not made or refreshed
};

// Whether a server with these options offers the tool.
bool OffersTool(const RecallServiceOptions& options, const ToolInfo& tool);

class RecallService final : public McpService {
 public:
  RecallService(RecallServiceOptions options, std::unique_ptr<CommandRunner> runner)
      : options_(std::move(options)), runner_(std::move(runner)) {}

  const McpServerInfo& info() const override { return options_.info; }
  Json Capabilities() const override;
  RpcAnswer ListTools() override;
  RpcAnswer CallTool(const std::string& name, const Json& params, McpExchange& exchange) override;
  RpcAnswer ListResources(const std::optional<std::string>& cursor) override;
  RpcAnswer ListResourceTemplates() override;
  RpcAnswer ReadResource(const std::string& uri, McpExchange& exchange) override;
  RpcAnswer ListPrompts() override;
  RpcAnswer GetPrompt(const std::string& name, const Json& params, McpExchange& exchange) override;
  RpcAnswer Complete(const Json& params, McpExchange& exchange) override;
  void Begin() override { runner_->Renew(); }
  void Cancel() override { runner_->Cancel(); }

 private:
  // Calls a tool, whether or not it is offered. Returns: the result of `tools/call`.
  Json RunTool(std::string_view name, const Json& arguments);
  RpcAnswer ReadDocument(const std::string& path, const std::string& lines,
                         const std::string& snapshot, const std::string& uri);

  RecallServiceOptions options_;
  std::unique_ptr<CommandRunner> runner_;
};

}  // namespace recall
