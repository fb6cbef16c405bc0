#pragma once

// The branches of a repository that hold sessions.

#include <string>
#include <string_view>

#include "query/memory/git/repository.h"

namespace recall {

inline constexpr std::string_view kSessionBodyName = "recall.body";
inline constexpr size_t kMostBodyBytes = size_t{2} << 30;
// A body is not read beyond these: its frames, and what they contain in sum.
inline constexpr int64_t kMostBodyFrames = 100'000;
inline constexpr uint64_t kMostUnpackedBytes = uint64_t{16} << 30;

// The repository of a directory. Errors: NotFound if it is in none.
Result<GitRepository> RepositoryForSharing(const std::string& directory);

// "recall/ada@example.com"; characters that a branch cannot have become "_". Errors:
// InvalidArgument if the settings have no address.
Result<std::string> OwnBranch(const GitRepository& repository);

// Where the branches of a remote are kept here: "refs/remotes/origin/recall/". Those of an address
// without a name are in "refs/recall/pulled/".
Result<std::string> PrefixOfPulled(const GitRepository& repository, const std::string& remote);

}  // namespace recall
