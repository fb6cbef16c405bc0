// Detects the SIMD targets of this CPU: the two functions of Highway's library that dynamic
// dispatch calls. Linking the library instead would cost every process about 3 ms before main, as
// much as a whole search, because it measures the resolution of its timer when it is loaded
// (decision 0006).

#include <hwy/highway.h>
#include <hwy/targets.h>
#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace hwy {
namespace {

#if HWY_ARCH_X86
// Clang 14 does not know the names of these two, which need no support of the operating system.
bool HasF16cAndLzcnt() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  constexpr unsigned kF16c = 1u << 29;  // leaf 1
  constexpr unsigned kLzcnt = 1u << 5;  // leaf 0x80000001
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & kF16c) == 0) return false;
  return __get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) != 0 && (ecx & kLzcnt) != 0;
}

// GCC's CPU model also checks whether the operating system saves the wide registers. Each target
// includes those before it; the conditions are those of hwy/detect_targets.h.
int64_t DetectTargets() {
  __builtin_cpu_init();
  int64_t targets = HWY_STATIC_TARGET | HWY_SCALAR;
  if (!__builtin_cpu_supports("ssse3")) return targets;
  targets |= HWY_SSSE3;
  const bool has_sse4 = __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2") &&
                        __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("aes");
  if (!has_sse4) return targets;
  targets |= HWY_SSE4;
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                        HasF16cAndLzcnt();
  if (!has_avx2) return targets;
  targets |= HWY_AVX2;
  const bool has_avx3 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512cd");
  return has_avx3 ? targets | HWY_AVX3 : targets;
}
#else
// Elsewhere one target is compiled, the best that every CPU of the architecture has: NEON on ARM.
// Highway's library would also require the AES instructions for it, which no kernel uses.
int64_t DetectTargets() { return HWY_STATIC_TARGET; }
#endif

}  // namespace

int64_t SupportedTargets() {
  static const int64_t targets = DetectTargets();
  return targets;
}

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy
