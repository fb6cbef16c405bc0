#pragma once

#include <string_view>

namespace recall {

// The letters a-z that a lower-case Latin letter without decomposition is spelled with: ß -> ss,
// ł -> l. Empty for other characters.
std::string_view SpelledInAscii(char32_t letter);

}  // namespace recall
