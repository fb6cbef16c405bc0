#include <climits>

#include "index/source/extract/worker/resource_limits.h"
#include "index/source/extract/worker/sandbox.h"
#include "storage/base/child_descriptors.h"

namespace recall::posix_form {

bool HasSandbox() { return false; }

SandboxSupport FindSandboxSupport() { return {}; }

Status EnterWorkerSandbox(int socket, uint64_t memory_bytes, bool) {
  constexpr uint64_t kMostCpuSeconds = 24 * 60 * 60;  // the program watches each file's time
  CloseDescriptors(0, socket - 1);
  CloseDescriptors(socket + 1, INT_MAX);
  return SetResourceLimits(memory_bytes, kMostCpuSeconds, 16);
}

Status EnterHelperSandbox(uint64_t memory_bytes, int cpu_seconds, bool) {
  CloseDescriptors(3, INT_MAX);
  return SetResourceLimits(memory_bytes, static_cast<uint64_t>(cpu_seconds), 64);
}

}  // namespace recall::posix_form
