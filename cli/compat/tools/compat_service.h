#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "cli/compat/tools/compat_tools.h"
#include "cli/server/mcp/service.h"
#include "cli/server/tools/recall_service.h"

namespace recall {

// The MCP service of a store that offers the tools of another program under their names. It has no
// resources and no prompts.
class CompatService final : public McpService {
 public:
  CompatService(std::span<const CompatTool> tools, RecallServiceOptions options,
                std::unique_ptr<CommandRunner> runner);

  const McpServerInfo& info() const override { return options_.info; }
  Json Capabilities() const override { return {{"tools", Json::object()}}; }
  RpcAnswer ListTools() override;
  RpcAnswer CallTool(const std::string& name, const Json& params, McpExchange& exchange) override;
  void Begin() override { runner_->Renew(); }
  void Cancel() override { runner_->Cancel(); }

 private:
  bool Offers(const CompatTool& tool) const;
  bool Lists(const CompatTool& tool) const;

  std::span<const CompatTool> tools_;
  RecallServiceOptions options_;
  std::unique_ptr<CommandRunner> runner_;
};

}  // namespace recall
