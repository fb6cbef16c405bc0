#include <thread>

#include "storage/base/processor.h"

namespace recall::posix_form {

uint32_t UsableProcessors() { return std::thread::hardware_concurrency(); }

bool HasCrcInstruction() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("sse4.2") != 0;
#elif defined(__ARM_FEATURE_CRC32)
  return true;  // the program is compiled for such processors alone, as for those of Apple
#else
  return false;
#endif
}

}  // namespace recall::posix_form
