#include "index/base/paths/source_files.h"

#include <sys/stat.h>

#include <algorithm>

#include "index/base/paths/doc_path.h"
#include "storage/base/ids.h"

namespace recall {

bool IsAtOrBelow(std::string_view absolute_path, std::string_view absolute_directory) {
  if (absolute_directory == "/" || absolute_path == absolute_directory) return true;
  return absolute_path.starts_with(absolute_directory) &&
         absolute_path[absolute_directory.size()] == '/';
}

std::string DirectoryOf(const SourceRoot& root, std::string_view store_root) {
  return AbsoluteLexicalPath(FilePathOf(root.directory, store_root));
}

std::string NameBelow(const SourceRoot& root, std::string_view absolute_directory,
                      std::string_view absolute_path) {
  const std::string below = DocPathOf(absolute_path, absolute_directory);
  if (below == ".") return root.prefix.empty() ? below : root.prefix;
  return JoinPath(root.prefix, below);
}

std::string IdentityOfDirectory(const std::string& directory) {
  struct stat info {};
  if (::stat(directory.c_str(), &info) != 0) return {};
  const std::string named = directory + '\0' + std::to_string(info.st_ino);
  return ToHex(Sha256(named)).substr(0, 16);
}

std::vector<SourceCandidate> CandidatesOf(std::string_view doc_path, std::string_view store_root,
                                          std::span<const SourceRoot> roots) {
  std::vector<const SourceRoot*> matching;
  for (const SourceRoot& root : roots) {
    const bool has_prefix = root.prefix.empty() ? !doc_path.starts_with('/')
                                                : doc_path.size() > root.prefix.size() &&
                                                      IsAtOrBelow(doc_path, root.prefix);
    if (has_prefix) matching.push_back(&root);
  }
  std::ranges::stable_sort(matching, [](const SourceRoot* a, const SourceRoot* b) {
    return a->prefix.size() > b->prefix.size();
  });
  std::vector<SourceCandidate> candidates;
  for (const SourceRoot* root : matching) {
    std::string directory = DirectoryOf(*root, store_root);
    const size_t begin = root->prefix.empty() ? 0 : root->prefix.size() + 1;
    std::string path = JoinPath(directory, doc_path.substr(begin));
    candidates.push_back({std::move(path), std::move(directory), root->prefix.size()});
  }
  candidates.push_back({FilePathOf(doc_path, store_root), "", 0});
  return candidates;
}

}  // namespace recall
