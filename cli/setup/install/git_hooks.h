#pragma once

// Hooks of a git repository that call recall, and the store in its list of excluded files: what is
// to be done is planned first, without writing anything, and then carried out.

#include <optional>
#include <string>
#include <vector>

#include "cli/setup/install/installer.h"
#include "query/memory/git/repository.h"
#include "storage/base/result.h"

namespace recall {

struct GitFileEdit {
  std::string name;  // of a hook, as "post-commit", or "exclude"
  std::string file;  // absolute
  InstallAction action = InstallAction::kNone;
  bool installed = false;             // before the plan is carried out: our lines are there
  std::optional<std::string> before;  // the bytes of the file; nothing if there is none
  std::optional<std::string> after;   // nothing: the file is removed
};

struct GitInstallPlan {
  GitRepository repository;
  std::string hooks_directory;
  std::vector<GitFileEdit> edits;
  std::vector<std::string> warnings;
};

struct GitInstallRequest {
  std::string directory;    // in the repository
  std::string program;      // what the hooks start
  std::string store;        // the store that is found
  bool name_store = false;  // the hooks name the store; else `recall` looks for it
  bool push = false;        // also pre-push
};

// Errors: NotFound if the directory is in no work tree of a repository, or git is not installed;
// Unsupported for a hook that is no shell script; InvalidArgument; IoError.
Result<GitInstallPlan> PlanGitInstall(const GitInstallRequest& request);

// Errors: those of PlanGitInstall.
Result<GitInstallPlan> PlanGitUninstall(const std::string& directory);

// Writes each file whole or not at all; a hook keeps its permissions. Errors: IoError; Busy if a
// file has changed since it was read.
Status CarryOut(const GitInstallPlan& plan);

// A word of a shell command.
std::string QuotedForShell(std::string_view word);

}  // namespace recall
