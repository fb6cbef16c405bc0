#include <sched.h>

#include <algorithm>

#include "storage/base/processor.h"

#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace recall::linux_form {

uint32_t UsableProcessors() {
  cpu_set_t usable;
  // Fails on a machine with more processors than the set has room for.
  if (sched_getaffinity(0, sizeof(usable), &usable) != 0) return posix_form::UsableProcessors();
  return static_cast<uint32_t>(std::max(CPU_COUNT(&usable), 1));
}

bool HasCrcInstruction() {
#if defined(CPU_FEATURE_ACTIVE)
  // The C library's answer costs nothing; the compiler's (__builtin_cpu_supports) costs every start
  // of the program a dozen CPUID instructions, which are slow on virtual machines.
  return CPU_FEATURE_ACTIVE(SSE4_2);
#elif defined(__aarch64__)
  return (::getauxval(AT_HWCAP) & HWCAP_CRC32) != 0;
#else
  return posix_form::HasCrcInstruction();
#endif
}

}  // namespace recall::linux_form
