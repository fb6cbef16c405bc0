#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recall {

// The name users give a commit: the first 8 digits of the store's UUID, "-", the commit's number.
std::string MakeSnapshotToken(std::string_view uuid, int64_t sequence);

// The number; nothing when the text is not a token of the store with this UUID.
std::optional<int64_t> ParseSnapshotToken(std::string_view uuid, std::string_view token);

}  // namespace recall
