#pragma once

#include <cstdint>

#include "storage/base/status.h"

namespace recall {

// Limits what this process and its children may use, for good: bytes of its address space, seconds
// of processor time, and descriptors. It writes no files and leaves no core. Errors: IoError.
Status SetResourceLimits(uint64_t memory_bytes, uint64_t cpu_seconds, uint64_t descriptors);

}  // namespace recall
