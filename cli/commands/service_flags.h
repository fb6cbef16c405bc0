#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/flags/flags.h"
#include "cli/run/command/command_context.h"
#include "cli/run/execution/command_call.h"
#include "cli/server/tools/recall_service.h"

namespace recall {

// The flags of servers, which `mcp` and `serve` share: what clients may see and do.
class ServiceFlags final {
 public:
  void Declare(FlagSet& flags);
  // Errors: InvalidArgument for a scope that is no filter or an unknown tool; NotFound for --root.
  // `known`: the names of tools that there are.
  Status Check(const std::vector<std::string>& known = NamesOfTools()) const;
  static std::vector<std::string> NamesOfTools();

  bool allow_write() const { return allow_write_; }
  bool allow_private() const { return allow_private_; }
  // The directories whose files results are compared with (SourceCheck::within): --root, or else
  // this directory and that of the store.
  std::vector<std::string> check_within() const;
  // Where clients find the store. With --auto and --root it is made in the root if there is none,
  // wherever the server was started.
  LocateRequest Located(LocateRequest locate) const;
  // The options of all services of a server.
  RecallServiceOptions MakeOptions() const;
  // Runs the commands of this program in this process, for one thread.
  static std::unique_ptr<CommandRunner> MakeRunner(CallSettings settings);

 private:
  std::optional<std::string> scope_text_;
  std::optional<std::string> root_;
  bool allow_write_ = false;
  bool allow_private_ = false;
  bool auto_ = false;
  bool structured_ = false;
  std::vector<std::string> tools_;
  int64_t max_tokens_ = kAnswerTokens;
};

}  // namespace recall
