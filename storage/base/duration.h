#pragma once

#include <optional>
#include <string_view>

namespace recall {

// Reads a length of time, in seconds: a number of at least 0 and a unit, with or without a space
// between them: "90s", "36h", "7d", "2 weeks", "6 months", "1.5h". Units: s, m, h, d, w, mo, y, and
// their names. A month has 30 days, a year 365. Returns: nothing for other text.
std::optional<double> ParseDurationSeconds(std::string_view text);

}  // namespace recall
