// Selects the greatest of some cosines.
//
// Problem. A search needs the five greatest of 300 cosines, three hundred times. Sorting them would
// take longer than computing them.
//
// Idea. The cosines are dealt to 16 lanes, and the maximum of each lane is found. The k-th greatest
// maximum is a lower bound of the k-th greatest cosine, because k cosines reach it. A second pass
// collects what reaches the bound: not much more than k, from which the rest is removed.
//
// Invariant: the selection is that of a full sort. Scales that are NaN, which only a damaged store
// has, may change it, but nothing is read or written outside the arrays.
//
// Cost: two passes.

#include <algorithm>
#include <utility>

#include "simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/near_cosines.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace recall {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kLanes = 16;
using D = hn::CappedTag<float, kLanes>;
constexpr size_t kStep = hn::MaxLanes(D());

// Sets the cosines, and returns the maximum of each lane, at least 0.
void SetCosines(const int32_t* products, const float* scales, float scale, size_t n, float* cosines,
                float* maxima) {
  const D d;
  const hn::RebindToSigned<D> integers;
  hn::Vec<D> greatest[kLanes / kStep];
  for (auto& lane : greatest) lane = hn::Zero(d);
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (size_t at = 0; at < kLanes; at += kStep) {
      const auto product = hn::ConvertTo(d, hn::LoadU(integers, products + i + at));
      const auto factor = hn::Mul(hn::Set(d, scale), hn::LoadU(d, scales + i + at));
      const auto cosine = hn::Mul(product, factor);
      hn::StoreU(cosine, d, cosines + i + at);
      greatest[at / kStep] = hn::Max(greatest[at / kStep], cosine);
    }
  }
  for (size_t at = 0; at < kLanes; at += kStep) hn::StoreU(greatest[at / kStep], d, maxima + at);
  for (size_t lane = 0; i < n; ++i, ++lane) {
    cosines[i] = static_cast<float>(products[i]) * (scale * scales[i]);
    maxima[lane] = std::max(maxima[lane], cosines[i]);
  }
}

// The k-th greatest of some values above 0; 0 if there are fewer.
float KthGreatest(const float* values, size_t n, size_t k) {
  float greatest[kLanes] = {};  // descending
  for (size_t i = 0; i < n; ++i) {
    if (!(values[i] > greatest[k - 1])) continue;
    size_t place = k - 1;
    for (; place > 0 && greatest[place - 1] < values[i]; --place) {
      greatest[place] = greatest[place - 1];
    }
    greatest[place] = values[i];
  }
  return greatest[k - 1];
}

size_t SelectNearCosines(const int32_t* products, const float* scales, float scale, size_t n,
                         size_t k, uint32_t* places, float* cosines) {
  const D d;
  float maxima[kLanes];
  SetCosines(products, scales, scale, n, cosines, maxima);
  const float bound = KthGreatest(maxima, kLanes, k);
  size_t count = 0;
  const auto take = [&](size_t i) HWY_ATTR {
    places[count] = static_cast<uint32_t>(i);
    cosines[count] = cosines[i];
    ++count;
  };
  size_t i = 0;
  for (; i + kStep <= n; i += kStep) {
    const auto values = hn::LoadU(d, cosines + i);
    const auto reach = hn::And(hn::Ge(values, hn::Set(d, bound)), hn::Gt(values, hn::Zero(d)));
    if (hn::AllFalse(d, reach)) continue;
    uint8_t bits[8] = {};
    hn::StoreMaskBits(d, reach, bits);
    for (size_t at = 0; at < kStep; ++at) {
      if ((bits[at / 8] >> at % 8 & 1) != 0) take(i + at);
    }
  }
  for (; i < n; ++i) {
    if (cosines[i] >= bound && cosines[i] > 0) take(i);
  }
  const float least = KthGreatest(cosines, count, k);
  const size_t collected = std::exchange(count, 0);
  for (size_t at = 0; at < collected; ++at) {
    if (!(cosines[at] >= least)) continue;
    places[count] = places[at];
    cosines[count++] = cosines[at];
  }
  return count;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace recall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace recall {

HWY_EXPORT(SelectNearCosines);

size_t SelectNearCosines(const int32_t* products, const float* scales, float scale, size_t n,
                         size_t k, uint32_t* places, float* cosines) {
  return HWY_DYNAMIC_DISPATCH(SelectNearCosines)(products, scales, scale, n, k, places, cosines);
}

}  // namespace recall
#endif  // HWY_ONCE
