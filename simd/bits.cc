#include "simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/bits.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace recall {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

uint64_t CountBits(const uint8_t* bytes, size_t count) {
  const hn::ScalableTag<uint8_t> d;
  const hn::Repartition<uint64_t, decltype(d)> d64;
  auto sums = hn::Zero(d64);
  size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    sums = hn::Add(sums, hn::SumsOf8(hn::PopulationCount(hn::LoadU(d, bytes + i))));
  }
  uint64_t total = hn::GetLane(hn::SumOfLanes(d64, sums));
  for (; i < count; ++i) total += hwy::PopCount(uint64_t{bytes[i]});
  return total;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace recall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace recall {

HWY_EXPORT(CountBits);

uint64_t CountBits(const uint8_t* bytes, size_t count) {
  return HWY_DYNAMIC_DISPATCH(CountBits)(bytes, count);
}

}  // namespace recall
#endif  // HWY_ONCE
