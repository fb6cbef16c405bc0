#include "cli/server/tools/recall_service.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace recall {
namespace {

// Runs nothing: memory is lacking.
class FailingRunner final : public CommandRunner {
 public:
  CommandOutput Run(std::string_view, std::vector<std::string>) override { throw std::bad_alloc(); }
  void OnProgress(std::function<void(const CommandProgress&)> listener) override {
    listener_ = std::move(listener);
  }
  void Cancel() override {}
  void Renew() override {}

  bool has_listener() const { return listener_ != nullptr; }

 private:
  std::function<void(const CommandProgress&)> listener_;
};

class TokenExchange final : public McpExchange {
 public:
  TokenExchange() { context_.progress_token = "token"; }
  const McpContext& context() const override { return context_; }
  void Notify(std::string_view, Json) override {}
  bool cancelled() const override { return false; }

 private:
  McpContext context_;
};

TEST(RecallServiceTest, ACallThatFailsLeavesNoListenerBehind) {
  auto runner = std::make_unique<FailingRunner>();
  const FailingRunner* const observed = runner.get();
  RecallService service(RecallServiceOptions(), std::move(runner));
  TokenExchange exchange;
  const Json params = {{"arguments", {{"query", "heron"}}}};
  EXPECT_THROW(static_cast<void>(service.CallTool("search", params, exchange)), std::bad_alloc);
  EXPECT_FALSE(observed->has_listener());
}

}  // namespace
}  // namespace recall
