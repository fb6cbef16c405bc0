#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace recall {

// The difference between two texts as a unified diff with one hunk and three lines of context;
// nothing stands for a file that does not exist. "" if they are equal.
std::string UnifiedDiff(const std::string& file, const std::optional<std::string>& before,
                        const std::optional<std::string>& after);

}  // namespace recall
