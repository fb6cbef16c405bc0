#pragma once

#include <cstddef>

namespace recall {

// Longer words are cut here, at a character; only the cut form is searchable.
inline constexpr size_t kMaxTokenBytes = 64;

}  // namespace recall
