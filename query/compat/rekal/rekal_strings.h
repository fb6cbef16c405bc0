#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

inline constexpr std::string_view kRekalStringsName = "dict.bin";
inline constexpr size_t kMostRekalStringBytes = size_t{32} << 20;

// The table of strings of a branch of rekal (dict.bin), which its frames refer to by number.
struct RekalStrings {
  std::vector<std::string_view> sessions;  // ids of sessions and of checkpoints
  std::vector<std::string_view> branches;
  std::vector<std::string_view> emails;  // and ids of agents
  std::vector<std::string_view> paths;
};

// `bytes` must outlive the result; at most kMostRekalStringBytes. Errors: Corruption; Unsupported
// for a later version of the format.
Result<RekalStrings> ReadRekalStrings(std::string_view bytes);

// The string with a number; nothing if there is none.
std::optional<std::string_view> StringAt(const std::vector<std::string_view>& strings,
                                         uint64_t number);

}  // namespace recall
