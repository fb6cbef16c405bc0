#pragma once

#include <cstddef>

namespace recall {

// Memory of what the library returns, from the functions of recall_set_allocator or else from
// malloc. Thread-safe, except SetMemory.

// Returns: null without memory.
void* TakeMemory(size_t size);
// `memory` may be null.
void GiveMemory(void* memory);

// Sets the functions. Returns: false, and does nothing, after the first call of UseMemory.
bool SetMemory(void* (*allocate)(size_t, void*), void (*release)(void*, void*), void* user);
// From now on the functions stay what they are.
void UseMemory();

}  // namespace recall
