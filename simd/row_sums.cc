#include "simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/row_sums.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace recall {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

uint64_t SumsAtLeast(const uint64_t* rows, const float* values, size_t count, float least) {
  constexpr size_t kRows = 64;
  const hn::CappedTag<float, kRows> d;
  const size_t lanes = hn::Lanes(d);
  uint64_t reached = 0;
  for (size_t first = 0; first < kRows; first += lanes) {
    auto sums = hn::Zero(d);
    for (size_t k = 0; k < count; ++k) {
      const uint64_t bits = rows[k] >> first;
      const auto has = hn::LoadMaskBits(d, reinterpret_cast<const uint8_t*>(&bits));
      sums = hn::Add(sums, hn::IfThenElseZero(has, hn::Set(d, values[k])));
    }
    uint64_t bits = 0;
    hn::StoreMaskBits(d, hn::Ge(sums, hn::Set(d, least)), reinterpret_cast<uint8_t*>(&bits));
    reached |= bits << first;
  }
  return reached;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace recall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace recall {

HWY_EXPORT(SumsAtLeast);

uint64_t SumsAtLeast(const uint64_t* rows, const float* values, size_t count, float least) {
  return HWY_DYNAMIC_DISPATCH(SumsAtLeast)(rows, values, count, least);
}

}  // namespace recall
#endif  // HWY_ONCE
