#pragma once

#include <memory>
#include <string>

#include "index/glob/ignore_rules.h"

namespace recall {

inline constexpr char kGitignoreName[] = ".gitignore";
inline constexpr char kRecallignoreName[] = ".recallignore";

using IgnoreScopePtr = std::shared_ptr<const IgnoreScope>;

// The scope inside an open directory: `outer` itself when the directory has no rules of its own.
// What cannot be read, or is no small regular file, holds no rules.
IgnoreScopePtr EnterScope(IgnoreScopePtr outer, int directory, const std::string& absolute_path);

// The scope of what is around a root: the ignore files of the directories above it, from the top
// of its git repository or of the store, whichever is further out. So within a store a file is
// ignored or not whichever root leads to it.
IgnoreScopePtr ScopeAround(const std::string& absolute_path, const std::string& store_root);

}  // namespace recall
