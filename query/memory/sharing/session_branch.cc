#include "query/memory/sharing/session_branch.h"

#include "index/base/paths/doc_path.h"
#include "index/base/paths/working_directory.h"
#include "query/memory/git/git_branches.h"

namespace recall {

Result<GitRepository> RepositoryForSharing(const std::string& directory) {
  const std::string absolute = AbsoluteLexicalPath(directory);
  RECALL_ASSIGN(std::optional<GitRepository> repository, FindRepository(absolute));
  if (repository) return *std::move(repository);
  return Fail(Status::NotFound(absolute + " is in no git repository",
                               "sessions are pushed to and pulled from a remote of a repository"));
}

Result<std::string> OwnBranch(const GitRepository& repository) {
  if (repository.email.empty()) {
    return Fail(Status::InvalidArgument("git knows no e-mail address to name the branch by",
                                        "run `git config user.email ADDRESS`"));
  }
  std::string name;
  for (const char c : repository.email) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '@' || c == '-' || c == '_' || c == '+' || (c & 0x80) != 0;
    // Two dots, and a dot at an end, are not allowed in names of branches.
    const bool dot = c == '.' && !name.empty() && name.back() != '.';
    name += plain || dot ? c : '_';
  }
  if (name.ends_with('.')) name.back() = '_';
  if (name.ends_with(".lock")) name[name.size() - 5] = '_';
  return "recall/" + name;
}

Result<std::string> PrefixOfPulled(const GitRepository& repository, const std::string& remote) {
  RECALL_ASSIGN(const bool named, IsRemoteName(repository, remote));
  return named ? "refs/remotes/" + remote + "/recall/" : "refs/recall/pulled/";
}

}  // namespace recall
