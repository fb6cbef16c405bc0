#pragma once

// Branches that hold one file and are written without a work tree, and their exchange with a
// remote.

#include <string>
#include <string_view>
#include <vector>

#include "query/memory/git/repository.h"

namespace recall {

struct GitRef {
  std::string name;  // "refs/heads/recall/ada@example.com"
  std::string sha;

  bool operator==(const GitRef&) const = default;
};

// The references that these patterns name ("refs/heads/main", "refs/remotes/origin/recall/"), by
// name. Errors: IoError.
Result<std::vector<GitRef>> ListRefs(const GitRepository& repository,
                                     const std::vector<std::string>& patterns);

// Whether `older` is `newer` or one of its ancestors.
Result<bool> IsAncestor(const GitRepository& repository, const std::string& older,
                        const std::string& newer);

// The bytes of a file of a commit. Errors: NotFound if the commit has no such file; LimitExceeded
// above `most` bytes; IoError.
Result<std::string> ReadFileOfCommit(const GitRepository& repository, const std::string& commit,
                                     const std::string& name, size_t most);

struct NewGitCommit {
  std::string file;          // the only one of its tree
  std::string_view content;  // must live until the commit is made
  std::string parent;        // "": it has none
  std::string message;
  std::string email;  // of author and committer
};
// Makes a commit that no reference names yet. Returns: its id. Errors: IoError.
Result<std::string> MakeCommit(const GitRepository& repository, const NewGitCommit& commit);

// Sets a reference that is at `before` ("": does not exist). Errors: Busy if it is elsewhere;
// IoError.
Status UpdateRef(const GitRepository& repository, const std::string& ref, const std::string& sha,
                 const std::string& before);

// Pushes refs/heads/BRANCH. Errors: AlreadyExists if the remote has commits that the branch lacks,
// without `force`; IoError.
Status PushBranch(const GitRepository& repository, const std::string& remote,
                  const std::string& branch, bool force);

// Fetches what `refspec` names; references that are gone on the remote are removed here. Errors:
// IoError.
Status FetchRefs(const GitRepository& repository, const std::string& remote,
                 const std::string& refspec);

// The files of the work tree that git has, by their paths from its root; none of a bare repository.
// Errors: IoError.
Result<std::vector<std::string>> TrackedFiles(const GitRepository& repository);

// Whether the settings name such a remote; it may also be the address of a repository.
Result<bool> IsRemoteName(const GitRepository& repository, const std::string& remote);

}  // namespace recall
