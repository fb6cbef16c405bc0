#pragma once

#include <cstddef>

namespace recall {

// Longer words are cut at this size, at a character; only the cut form is searchable.
inline constexpr size_t kMaxTokenBytes = 64;

}  // namespace recall
