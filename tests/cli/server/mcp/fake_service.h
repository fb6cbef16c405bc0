#pragma once

// A McpService without a store. Its tools tell the test what happens, and wait for it; no test has
// to guess how long something takes.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/server/mcp/service.h"

namespace recall {

// What all services of a server share with the test.
class FakeWorld final {
 public:
  // Lets the tool `wait` with this label return, now or when it is called.
  void Open(const std::string& label) {
    const std::lock_guard lock(mutex_);
    open_.insert(label);
    changed_.notify_all();
  }
  // Returns when a tool with this label has been called.
  void AwaitCall(const std::string& label) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return called_.contains(label); });
  }
  bool WasCalled(const std::string& label) {
    const std::lock_guard lock(mutex_);
    return called_.contains(label);
  }

 private:
  friend class FakeService;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::string> open_;
  std::set<std::string> called_;
};

// Tools: `echo` returns its label; `wait` does so when the label is opened or the request
// cancelled.
class FakeService final : public McpService {
 public:
  explicit FakeService(std::shared_ptr<FakeWorld> world) : world_(std::move(world)) {}

  const McpServerInfo& info() const override { return info_; }
  Json Capabilities() const override { return {{"tools", Json::object()}}; }
  RpcAnswer ListTools() override { return Json{{"tools", Json::array()}}; }
  RpcAnswer CallTool(const std::string& name, const Json& params, McpExchange&) override {
    const std::string label = JsonText(JsonMember(params, "arguments"), "label");
    std::unique_lock lock(world_->mutex_);
    world_->called_.insert(label);
    world_->changed_.notify_all();
    if (name == "wait") {
      world_->changed_.wait(lock, [&] { return cancelled_ || world_->open_.contains(label); });
    } else if (name != "echo") {
      return RpcFailure(RpcCode::kInvalidParams, "unknown tool");
    }
    return Json{{"label", label}};
  }
  RpcAnswer ListResources(const std::optional<std::string>& cursor) override {
    return Json{{"resources", Json::array()}, {"asked", cursor.value_or("")}};
  }
  RpcAnswer ListResourceTemplates() override { return Json{{"resourceTemplates", Json::array()}}; }
  RpcAnswer ReadResource(const std::string& uri, McpExchange&) override {
    return RpcFailure(RpcCode::kResourceNotFound, "no such resource", {{"uri", uri}});
  }
  RpcAnswer ListPrompts() override { return Json{{"prompts", Json::array()}}; }
  RpcAnswer GetPrompt(const std::string& name, const Json&, McpExchange&) override {
    return Json{{"description", name}};
  }
  RpcAnswer Complete(const Json&, McpExchange&) override { return Json{{"completion", {}}}; }

  void Begin() override { cancelled_ = false; }
  void Cancel() override {
    const std::lock_guard lock(world_->mutex_);
    cancelled_ = true;
    world_->changed_.notify_all();
  }

 private:
  std::shared_ptr<FakeWorld> world_;
  McpServerInfo info_ = {"fake", "Fake", "1", "be kind"};
  bool cancelled_ = false;
};

}  // namespace recall
