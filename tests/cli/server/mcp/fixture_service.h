#pragma once

// A server with the tools, prompts and resources that the MCP conformance suite calls by name
// (docs/TESTING.md).

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "cli/server/mcp/service.h"

namespace recall {

// The faults that the fixture can have, to show that the suite notices them.
std::span<const std::string_view> FixtureFaults();

// What the services of one server share.
struct FixtureState {
  explicit FixtureState(std::string fault_to_have) : fault(std::move(fault_to_have)) {}

  const std::string fault;  // one of FixtureFaults; "": none
  std::atomic<int> log_level = 1;
  std::mutex mutex;
  std::set<std::string> subscribed;
};

std::unique_ptr<McpService> MakeFixtureService(const std::shared_ptr<FixtureState>& state);

}  // namespace recall
