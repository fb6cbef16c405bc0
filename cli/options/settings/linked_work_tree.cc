#include "cli/options/settings/linked_work_tree.h"

#include <filesystem>
#include <fstream>
#include <string_view>

// Of a work tree W that is linked to the repository R:
//
//   W/.git                      "gitdir: R/.git/worktrees/NAME"
//   R/.git/worktrees/NAME/gitdir      "W/.git"
//   R/.git/worktrees/NAME/commondir   "../.."

namespace recall {
namespace {

namespace fs = std::filesystem;

// The first line of a small file; "" if it cannot be read.
std::string FirstLineOf(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return "";
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

bool IsSameFile(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

std::string MainWorkTree(const fs::path& work_tree) {
  constexpr std::string_view kKey = "gitdir: ";
  const fs::path file = work_tree / ".git";
  const std::string line = FirstLineOf(file);
  if (!line.starts_with(kKey)) return "";
  const fs::path git_dir = work_tree / line.substr(kKey.size());
  const std::string back = FirstLineOf(git_dir / "gitdir");
  const std::string common = FirstLineOf(git_dir / "commondir");
  if (back.empty() || common.empty() || !IsSameFile(git_dir / back, file)) return "";
  std::error_code error;
  const fs::path common_dir = fs::canonical(git_dir / common, error);
  // A bare repository has no main work tree.
  return error || common_dir.filename() != ".git" ? "" : common_dir.parent_path().string();
}

}  // namespace

std::string MainWorkTreeOf(const std::string& directory) {
  std::error_code error;
  for (fs::path at = directory; !at.empty(); at = at.parent_path()) {
    if (fs::exists(fs::symlink_status(at / ".git", error))) return MainWorkTree(at);
    if (at == at.root_path()) break;
  }
  return "";
}

}  // namespace recall
