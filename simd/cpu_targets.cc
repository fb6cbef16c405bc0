// Detects the SIMD targets of this CPU: the two functions of Highway's library that dynamic
// dispatch calls. Linking the library instead would cost every process about 3 ms before main, as
// much as a whole search, because it measures the resolution of its timer when it is loaded
// (decision 0006).

#include <hwy/highway.h>
#include <hwy/targets.h>
#if HWY_ARCH_X86
#include <sys/platform/x86.h>
#endif

namespace hwy {
namespace {

#if HWY_ARCH_X86
// The C library has asked the CPU already, and also checks whether the operating system saves the
// wide registers. GCC's CPU model (__builtin_cpu_supports) would ask again before main, a dozen
// times: 60 microseconds on a virtual machine, where each question leaves the guest. Each target
// includes those before it; the conditions are those of hwy/detect_targets.h.
int64_t DetectTargets() {
  int64_t targets = HWY_STATIC_TARGET | HWY_SCALAR;
  if (!CPU_FEATURE_ACTIVE(SSSE3)) return targets;
  targets |= HWY_SSSE3;
  const bool has_sse4 = CPU_FEATURE_ACTIVE(SSE4_1) && CPU_FEATURE_ACTIVE(SSE4_2) &&
                        CPU_FEATURE_ACTIVE(PCLMULQDQ) && CPU_FEATURE_ACTIVE(AES);
  if (!has_sse4) return targets;
  targets |= HWY_SSE4;
  const bool has_avx2 = CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(FMA) &&
                        CPU_FEATURE_ACTIVE(BMI1) && CPU_FEATURE_ACTIVE(BMI2) &&
                        CPU_FEATURE_ACTIVE(F16C) && CPU_FEATURE_ACTIVE(LZCNT);
  if (!has_avx2) return targets;
  targets |= HWY_AVX2;
  const bool has_avx3 = CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_ACTIVE(AVX512VL) &&
                        CPU_FEATURE_ACTIVE(AVX512DQ) && CPU_FEATURE_ACTIVE(AVX512BW) &&
                        CPU_FEATURE_ACTIVE(AVX512CD);
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
