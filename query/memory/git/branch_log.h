#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "query/memory/git/repository.h"

namespace recall {

// The commits of a branch that were written at `from` or later and that `keep` accepts, oldest
// first; of equal times, parents first. A branch that does not exist (any more) is HEAD; a
// repository without commits has none. `from` is rounded down to whole seconds. Errors: IoError.
Result<std::vector<GitCommit>> CommitsSince(const GitRepository& repository,
                                            const std::string& branch, UnixNanos from,
                                            const std::function<bool(const GitCommit&)>& keep);

// The newest commits of HEAD that changed a file, the newest first, at most `most` of them, without
// merges. `path`: from the root. Git goes back in the history until it has found so many. Errors:
// IoError.
Result<std::vector<GitCommit>> CommitsThatChanged(const GitRepository& repository,
                                                  const std::string& path, int64_t most);

// Addresses are equal without regard to ASCII case.
bool IsSameEmail(std::string_view a, std::string_view b);

}  // namespace recall
