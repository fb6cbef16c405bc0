#pragma once

#include <string_view>

namespace recall {

// Where links come from: the values of link.origin.
inline constexpr std::string_view kUserLink = "user";  // a command
inline constexpr std::string_view kTextLink = "text";  // the text of the source
inline constexpr std::string_view kNearLink = "near";  // the nearness of the two texts

}  // namespace recall
