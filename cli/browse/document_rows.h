#pragma once

#include <string_view>
#include <vector>

#include "cli/browse/screen_rows.h"

namespace recall {

// The text of a document behind its card, in rows of at most so many columns. A long text ends
// after kMostShownBytes, which the last row says.
inline constexpr size_t kMostShownBytes = 262'144;
std::vector<ScreenRow> DocumentRows(std::string_view text, size_t columns);

}  // namespace recall
