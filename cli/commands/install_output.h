#pragma once

// What `recall install` and `recall uninstall` print.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/run/command/command_context.h"
#include "cli/setup/install/git_hooks.h"
#include "cli/setup/install/installer.h"

namespace recall {

// A plan with what only the answer needs.
struct InstallItem {
  InstallPlan plan;
  std::vector<std::string> command = {};  // what the entry starts; empty for uninstall and lists
  std::string problem = {};               // why the file cannot be read; lists only
};

// An error about a file, with the place in it.
std::string ProblemText(const Status& error);

// The JSON of the member `key`. `list`: of what there is, and not of what is done.
void SendItems(CommandContext& context, std::string_view key, const std::vector<InstallItem>& items,
               const std::optional<GitInstallPlan>& git, bool dry_run, bool list);
// The same as text: of what is done.
void PrintItems(CommandContext& context, const std::vector<InstallItem>& items, bool dry_run);
void PrintGit(CommandContext& context, const GitInstallPlan& plan, bool dry_run);
// The same as text: of what there is.
void PrintInstalled(CommandContext& context, const std::vector<InstallItem>& items,
                    const std::optional<GitInstallPlan>& git);

}  // namespace recall
