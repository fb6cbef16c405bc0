#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recall {

// The heading of the chunks of a turn of a session: "12 assistant 2026-02-25T10:00:00Z". The time
// is "-" if it is unknown.
struct TurnHeading {
  uint32_t turn = 0;
  std::string_view role;  // "human" or "assistant"
  std::string_view at;    // RFC 3339 in UTC; "": unknown
};

// Reads exactly that. The words of such a heading are not indexed, because they are not what was
// said.
std::optional<TurnHeading> ParseTurnHeading(std::string_view heading);

std::string FormatTurnHeading(const TurnHeading& heading);

}  // namespace recall
