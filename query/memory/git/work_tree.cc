#include "query/memory/git/work_tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace recall {
namespace {

namespace fs = std::filesystem;

// The first line of a small file; "" if there is none.
std::string FirstLineOf(const fs::path& path) {
  constexpr std::streamsize kLongest = 4096;
  std::ifstream file(path, std::ios::binary);
  std::string line(kLongest, '\0');
  file.read(line.data(), kLongest);
  line.resize(static_cast<size_t>(file.gcount()));
  line.resize(std::min(line.find('\n'), line.size()));
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

// The directory of git of a work tree; empty if `directory` is the top of none. A linked work tree
// has a file there, which names it.
fs::path GitDirectoryAt(const fs::path& directory) {
  constexpr std::string_view kLink = "gitdir: ";
  std::error_code error;
  const fs::path git = directory / ".git";
  if (fs::is_directory(git, error)) return git;
  if (!fs::is_regular_file(git, error)) return {};
  const std::string line = FirstLineOf(git);
  return line.starts_with(kLink) ? directory / line.substr(kLink.size()) : fs::path();
}

std::string RealDirectory(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  std::string text = error ? path.lexically_normal().string() : real.string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

}  // namespace

std::optional<WorkTree> FindWorkTree(const std::string& path) {
  if (!path.starts_with('/')) return std::nullopt;
  for (fs::path at = path;; at = at.parent_path()) {
    const fs::path git = GitDirectoryAt(at);
    if (!git.empty()) {
      WorkTree tree;
      tree.root = at.string();
      tree.git_dir = RealDirectory(git);
      const std::string common = FirstLineOf(fs::path(tree.git_dir) / "commondir");
      tree.common_dir =
          common.empty() ? tree.git_dir : RealDirectory(fs::path(tree.git_dir) / common);
      return tree;
    }
    if (at == at.parent_path()) return std::nullopt;
  }
}

std::string BranchOfWorkTree(const WorkTree& tree) {
  constexpr std::string_view kHead = "ref: refs/heads/";
  const std::string head = FirstLineOf(fs::path(tree.git_dir) / "HEAD");
  return head.starts_with(kHead) ? head.substr(kHead.size()) : "";
}

}  // namespace recall
