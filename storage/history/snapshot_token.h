#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recall {

class Connection;

// The name users give a commit: the first 8 digits of the store's UUID, "-", the commit's number.
std::string MakeSnapshotToken(std::string_view uuid, int64_t sequence);

// The number; nothing when the text is not a token of the store with this UUID.
std::optional<int64_t> ParseSnapshotToken(std::string_view uuid, std::string_view token);

// The token of the present commit, as far as the table `meta` of a damaged store tells it; else "".
std::string PresentToken(Connection& connection);

}  // namespace recall
