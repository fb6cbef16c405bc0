#pragma once

#include <memory>
#include <string>
#include <vector>

#include "index/base/glob/ignore_rules.h"

namespace recall {

inline constexpr char kGitignoreName[] = ".gitignore";
inline constexpr char kRecallignoreName[] = ".recallignore";
// The directory, or the file of a worktree, that marks the top of a git repository.
inline constexpr char kGitName[] = ".git";

// The maximum size of all ignore files that apply in one directory. It bounds the time that each
// entry of the directory takes, and the memory of the rules.
inline constexpr size_t kMostIgnoreBytes = size_t{1} << 20;

using IgnoreScopePtr = std::shared_ptr<const IgnoreScope>;

// The scope inside an open directory: `outer` itself if the directory has no rules of its own and
// is not the top of a git repository. A .gitignore file counts only inside a repository. A file
// that cannot be read or is not regular contains no rules. Nor does one with which those that apply
// exceed kMostIgnoreBytes: it is skipped, and its absolute path appended to *skipped.
IgnoreScopePtr EnterScope(IgnoreScopePtr outer, int directory, const std::string& absolute_path,
                          std::vector<std::string>* skipped);

// The scope around a root: the ignore files of the directories above it, from the top of its git
// repository or from the store's directory, whichever is further out. Within a store, the result
// for a file therefore does not depend on the root. Skipped files as in EnterScope.
IgnoreScopePtr ScopeAround(const std::string& absolute_path, const std::string& store_root,
                           std::vector<std::string>* skipped);

}  // namespace recall
