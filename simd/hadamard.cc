#include "simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/hadamard.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace recall {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The Walsh-Hadamard transform multiplies a vector by the matrix of +1 and -1 defined by
//
//   H(1) = 1,   H(2n) = | H(n)  H(n) |
//                       | H(n) -H(n) |
//
// It is orthogonal up to a factor sqrt(n). Together with random sign flips it is a random rotation
// that costs n log2 n additions and no stored matrix (index/embed/vector_space).
//
// The recursion becomes log2 n steps of "butterflies", here for n = 8:
//
//   distance 1    (0,1) (2,3) (4,5) (6,7)      every pair (x, y) becomes (x + y, x - y)
//   distance 2    (0,2) (1,3) (4,6) (5,7)
//   distance 4    (0,4) (1,5) (2,6) (3,7)
//
// Invariant: steps go from the nearest pairs to the farthest on every target. Each element is then
// the result of the same additions, whatever the width of a register, so the bits agree on every
// CPU.
//
// Distances 1 and 2 are within a register of four and need shuffles; from 4 on, whole registers are
// added and subtracted.

// One step: combines every pair at distance `half`. Requires: Lanes(d) divides half.
template <class D>
HWY_INLINE void CombinePairs(D d, float* values, size_t n, size_t half) {
  for (size_t group = 0; group < n; group += 2 * half) {
    float* low = values + group;
    float* high = low + half;
    for (size_t i = 0; i < half; i += hn::Lanes(d)) {
      const auto x = hn::LoadU(d, low + i);
      const auto y = hn::LoadU(d, high + i);
      hn::StoreU(hn::Add(x, y), d, low + i);
      hn::StoreU(hn::Sub(x, y), d, high + i);
    }
  }
}

#if HWY_TARGET == HWY_SCALAR

void HadamardTransform(float* values, size_t n) {
  for (size_t half = 1; half < n; half *= 2) {
    CombinePairs(hn::ScalableTag<float>(), values, n, half);
  }
}

#else

// The steps of distance 1 and 2, inside registers of four.
HWY_INLINE void CombineWithinFour(float* values, size_t n) {
  const hn::FixedTag<float, 4> d;
  const auto first_two = hn::FirstN(d, 2);
  for (size_t i = 0; i < n; i += 4) {
    const auto v = hn::LoadU(d, values + i);
    const auto neighbour = hn::Shuffle2301(v);
    const auto pairs = hn::OddEven(hn::Sub(neighbour, v), hn::Add(v, neighbour));
    const auto across = hn::Shuffle1032(pairs);
    hn::StoreU(hn::IfThenElse(first_two, hn::Add(pairs, across), hn::Sub(across, pairs)), d,
               values + i);
  }
}

void HadamardTransform(float* values, size_t n) {
  if (n < 4) {
    for (size_t half = 1; half < n; half *= 2) {
      CombinePairs(hn::FixedTag<float, 1>(), values, n, half);
    }
    return;
  }
  CombineWithinFour(values, n);
  const hn::ScalableTag<float> widest;
  for (size_t half = 4; half < n; half *= 2) {
    if (half >= hn::Lanes(widest)) {
      CombinePairs(widest, values, n, half);
    } else if (half == 8) {
      CombinePairs(hn::CappedTag<float, 8>(), values, n, half);
    } else {
      CombinePairs(hn::FixedTag<float, 4>(), values, n, half);
    }
  }
}

#endif  // HWY_TARGET == HWY_SCALAR

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace recall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace recall {

HWY_EXPORT(HadamardTransform);

void HadamardTransform(float* values, size_t n) {
  HWY_DYNAMIC_DISPATCH(HadamardTransform)(values, n);
}

}  // namespace recall
#endif  // HWY_ONCE
