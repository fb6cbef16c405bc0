#pragma once

// What the allocator of the GNU C library is asked for. heap_glibc.cc or, with another C library,
// heap_posix.cc, which does nothing. Thread-safe.

namespace recall {

// Returns freed memory to the system.
void ReturnFreedMemory();

// From now on keeps freed memory for later allocations, for a process that allocates much again and
// again.
void KeepFreedMemory();

}  // namespace recall
