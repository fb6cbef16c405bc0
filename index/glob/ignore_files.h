#pragma once

#include <memory>
#include <string>

#include "index/glob/ignore_rules.h"

namespace recall {

inline constexpr char kGitignoreName[] = ".gitignore";
inline constexpr char kRecallignoreName[] = ".recallignore";

using IgnoreScopePtr = std::shared_ptr<const IgnoreScope>;

// The scope inside an open directory: `outer` itself if the directory has no rules of its own. A
// file that cannot be read, is not regular or is too large contains no rules.
IgnoreScopePtr EnterScope(IgnoreScopePtr outer, int directory, const std::string& absolute_path);

// The scope around a root: the ignore files of the directories above it, from the top of its git
// repository or from the store's directory, whichever is further out. Within a store, the result
// for a file therefore does not depend on the root.
IgnoreScopePtr ScopeAround(const std::string& absolute_path, const std::string& store_root);

}  // namespace recall
