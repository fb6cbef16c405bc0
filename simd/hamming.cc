#include "simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/hamming.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace recall {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

uint32_t HammingDistance(const uint8_t* a, const uint8_t* b, size_t bytes) {
  const hn::ScalableTag<uint8_t> d;
  const hn::Repartition<uint64_t, decltype(d)> d64;
  auto sums = hn::Zero(d64);
  size_t i = 0;
  for (; i + hn::Lanes(d) <= bytes; i += hn::Lanes(d)) {
    const auto differing = hn::Xor(hn::LoadU(d, a + i), hn::LoadU(d, b + i));
    sums = hn::Add(sums, hn::SumsOf8(hn::PopulationCount(differing)));
  }
  uint64_t total = hn::GetLane(hn::SumOfLanes(d64, sums));
  for (; i < bytes; ++i) {
    total += hwy::PopCount(static_cast<uint64_t>(a[i] ^ b[i]));
  }
  return static_cast<uint32_t>(total);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace recall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace recall {

HWY_EXPORT(HammingDistance);

uint32_t HammingDistance(const uint8_t* a, const uint8_t* b, size_t bytes) {
  return HWY_DYNAMIC_DISPATCH(HammingDistance)(a, b, bytes);
}

}  // namespace recall
#endif  // HWY_ONCE
