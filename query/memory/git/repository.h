#pragma once

// What the program `git` says of a repository. Nothing here writes to it, takes its locks, or
// depends on the variables with which git starts a hook (GIT_DIR, GIT_INDEX_FILE, ...): the
// repository is that of a directory. Paths are bytes as git has them.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/clock.h"
#include "storage/base/result.h"

namespace recall {

// Directories are absolute, without symbolic links.
struct GitRepository {
  std::string root;        // of the work tree that the directory lies in; "": a bare repository
  std::string git_dir;     // of this work tree: ROOT/.git, or .git/worktrees/NAME
  std::string common_dir;  // of all work trees: where objects, branches and hooks are
  std::vector<std::string> worktrees;  // roots of all work trees, sorted; none if it is bare
  std::string email;                   // author.email or user.email of the settings; "": none
  std::string branch;                  // "main"; "": HEAD is detached
  std::string head;                    // id of the commit; "": there is none yet
};

// The repository that `directory` lies in; nothing if it lies in none, if git refuses to read it
// (safe.directory) or is not installed. Starts git twice, with linked work trees three times.
// Errors: IoError if git does not end.
Result<std::optional<GitRepository>> FindRepository(const std::string& directory);

// Where git looks for "hooks" or "info/exclude" of the repository; absolute. core.hooksPath is
// respected. Errors: IoError.
Result<std::string> GitPath(const GitRepository& repository, const std::string& name);

// `path`, which is absolute, relative to the work tree of the repository that it lies in, with "/";
// "" is the root itself. Nothing if it lies in none. Symbolic links in `path` are followed where it
// exists.
std::optional<std::string> PathInRepository(const GitRepository& repository,
                                            const std::string& path);

struct GitCommit {
  std::string sha;     // the whole id, in lower case
  std::string author;  // e-mail address
  UnixNanos at = 0;    // when the author wrote it, in whole seconds: rebasing keeps this time
  bool is_merge = false;
  std::vector<std::string> files;  // that it changes, relative to the root; sorted
  // Sessions that its trailers and notes name, and other words of these that may be the id of a
  // session; sorted.
  std::vector<std::string> session_ids;

  bool operator==(const GitCommit&) const = default;
};

// `revision` may be anything that names a commit: "HEAD~1", "a3f9b12", "v1.0". A first commit is
// compared with the empty tree, a merge with its first parent. Errors: InvalidArgument if there is
// no such commit; IoError.
Result<GitCommit> ReadCommit(const GitRepository& repository, const std::string& revision);

}  // namespace recall
