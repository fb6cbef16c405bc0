#pragma once

// What the allocator of the GNU C library is asked for. heap_glibc.cc or, with another C library,
// heap_posix.cc, which does nothing. Thread-safe.

namespace recall {

// Returns freed memory to the system.
void ReturnFreedMemory();

// Makes freed memory stay with the process, for one that takes as much again for each document: to
// give pages back and get them anew costs as much as to read a page of HTML. Up to 128 MiB stay.
void KeepFreedMemory();

}  // namespace recall
