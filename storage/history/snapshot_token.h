#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

class Connection;

// The name of a commit for users: the first 8 digits of the store's UUID, "-", the commit's number.
std::string MakeSnapshotToken(std::string_view uuid, int64_t sequence);

// The number of the commit, or nothing if the text is not a token of the store with this UUID.
std::optional<int64_t> ParseSnapshotToken(std::string_view uuid, std::string_view token);

// The token of the present commit, or "" if the table `meta` of a damaged store does not contain
// it. Errors: NotEnoughMemory.
Result<std::string> PresentToken(Connection& connection);

}  // namespace recall
