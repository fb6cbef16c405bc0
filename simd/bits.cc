#include <cstring>

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

void PositiveBits(const int8_t* values, size_t n, uint8_t* bits) {
  const hn::ScalableTag<int8_t> d;
  size_t i = 0;
  if constexpr (hn::MaxLanes(d) >= 8) {
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
      uint8_t mask[8];
      const size_t bytes =
          hn::StoreMaskBits(d, hn::Gt(hn::LoadU(d, values + i), hn::Zero(d)), mask);
      std::memcpy(bits + i / 8, mask, bytes);
    }
  }
  for (; i < n; i += 8) {
    unsigned mask = 0;
    for (size_t bit = 0; bit < 8; ++bit) mask |= unsigned{values[i + bit] > 0} << bit;
    bits[i / 8] = static_cast<uint8_t>(mask);
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace recall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace recall {

HWY_EXPORT(CountBits);
HWY_EXPORT(PositiveBits);

uint64_t CountBits(const uint8_t* bytes, size_t count) {
  return HWY_DYNAMIC_DISPATCH(CountBits)(bytes, count);
}

void PositiveBits(const int8_t* values, size_t n, uint8_t* bits) {
  HWY_DYNAMIC_DISPATCH(PositiveBits)(values, n, bits);
}

}  // namespace recall
#endif  // HWY_ONCE
