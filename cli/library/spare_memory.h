#pragma once

namespace recall {

// Blocks of memory that are kept for destructors, in a library that must not end its host when
// memory is lacking (spare_memory.cc).

// Allocates the blocks that are missing. Returns: false without memory; the call that is to begin
// must then fail. Thread-safe.
bool FillSpareMemory() noexcept;

}  // namespace recall
