#pragma once

// The processors that this process runs on. Thread-safe.

#include <cstdint>

#include "storage/base/system_form.h"

namespace recall {

namespace linux_form {
uint32_t UsableProcessors();
bool HasCrcInstruction();
}  // namespace linux_form

namespace posix_form {
// How many threads can run at the same time. The POSIX form does not know what taskset(1) and
// cgroups take away. 0: not known.
uint32_t UsableProcessors();
// Whether the processor has the instruction that checksum.cc uses for CRC-32C: SSE 4.2, or the
// option CRC of 64-bit ARM.
bool HasCrcInstruction();
}  // namespace posix_form

using system_form::HasCrcInstruction;
using system_form::UsableProcessors;

}  // namespace recall
