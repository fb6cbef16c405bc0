#pragma once

// What the files of a repository say of it, for those who have no time to start git.

#include <optional>
#include <string>

namespace recall {

// Directories are absolute. Symbolic links in `root` are not followed, those in the others are.
struct WorkTree {
  std::string root;
  std::string git_dir;     // ROOT/.git, or .git/worktrees/NAME of another one
  std::string common_dir;  // of all work trees of the repository: two are of one if it is equal
};

// The work tree at or above `path`, which need not exist. Nothing if `path` is not absolute, or
// there is none. Costs a stat(2) for each directory.
std::optional<WorkTree> FindWorkTree(const std::string& path);

// The branch of HEAD; "" if it is detached.
std::string BranchOfWorkTree(const WorkTree& tree);

}  // namespace recall
