#include "simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/dot.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace recall {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Element i always belongs to lane i % 16, whether a target has the 16 lanes in one register, in
// four, or in sixteen, so that all targets round alike. Multiply and add stay separate: a fused
// operation would round differently.
constexpr size_t kFloatLanes = 16;

float DotF32(const float* a, const float* b, size_t n) {
  const hn::CappedTag<float, kFloatLanes> d;
  constexpr size_t kStep = hn::MaxLanes(d);
  hn::Vec<decltype(d)> sums[kFloatLanes / kStep];
  for (auto& sum : sums) sum = hn::Zero(d);
  size_t i = 0;
  for (; i + kFloatLanes <= n; i += kFloatLanes) {
    for (size_t lane = 0; lane < kFloatLanes; lane += kStep) {
      const auto product = hn::Mul(hn::LoadU(d, a + i + lane), hn::LoadU(d, b + i + lane));
      sums[lane / kStep] = hn::Add(sums[lane / kStep], product);
    }
  }
  HWY_ALIGN float lanes[kFloatLanes];
  for (size_t lane = 0; lane < kFloatLanes; lane += kStep) {
    hn::Store(sums[lane / kStep], d, lanes + lane);
  }
  for (size_t lane = 0; i < n; ++i, ++lane) lanes[lane] += a[i] * b[i];
  // The reduction tree: 16 lanes to 8, 4, 2, 1; each step adds the upper half to the lower.
  for (size_t half = kFloatLanes / 2; half > 0; half /= 2) {
    for (size_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  }
  return lanes[0];
}

using D16 = hn::ScalableTag<int16_t>;
using D32 = hn::RepartitionToWide<D16>;

HWY_INLINE hn::Vec<D16> LoadI16(const int16_t* from) { return hn::LoadU(D16(), from); }
HWY_INLINE hn::Vec<D16> LoadI16(const int8_t* from) {
  return hn::PromoteTo(D16(), hn::LoadU(hn::Rebind<int8_t, D16>(), from));
}

template <typename Query>
HWY_INLINE int32_t DotIntegers(const Query* q, const int8_t* v, size_t n) {
  const D32 d32;
  auto even = hn::Zero(d32);
  auto odd = hn::Zero(d32);
  size_t i = 0;
  for (; i + hn::Lanes(D16()) <= n; i += hn::Lanes(D16())) {
    even = hn::ReorderWidenMulAccumulate(d32, LoadI16(q + i), LoadI16(v + i), even, odd);
  }
  int32_t sum = hn::GetLane(hn::SumOfLanes(d32, hn::Add(even, odd)));
  for (; i < n; ++i) sum += q[i] * v[i];
  return sum;
}

int32_t DotI8(const int8_t* a, const int8_t* b, size_t n) { return DotIntegers(a, b, n); }
int32_t DotI16I8(const int16_t* q, const int8_t* v, size_t n) { return DotIntegers(q, v, n); }

// Prefetch into the second-level cache: the first level has too few line fill buffers.
constexpr int kSecondLevel = 2;

// Reading one row after another accesses memory in order. Four rows side by side would load the
// query less often, but were measured at 0.6 of the memory bandwidth against 1.0: the CPU's
// hardware prefetcher follows one stream, not four. Prefetching rows 2 KB ahead gains the rest,
// most on older targets; 4 KB ahead, into the first level, reached only 0.75 on one CPU and 0.95 on
// another.
void DotI16I8Rows(const int16_t* q, const int8_t* rows, size_t stride, size_t n, size_t count,
                  int32_t* scores) {
  constexpr size_t kCacheLine = 64;
  const size_t rows_ahead = 2048 / (stride + 1) + 1;
  for (size_t r = 0; r < count; ++r) {
    if (r + rows_ahead < count) {
      const int8_t* later = rows + (r + rows_ahead) * stride;
      for (size_t i = 0; i < n; i += kCacheLine) __builtin_prefetch(later + i, 0, kSecondLevel);
    }
    scores[r] = DotIntegers(q, rows + r * stride, n);
  }
}

// The CPU cannot predict the next row, so rows are prefetched 32 ahead. Prefetching into the first
// level cost a tenth of the time of scattered rows and a quarter of that of short runs. The
// hardware prefetcher reads the rest of a long row.
void DotI16I8Gather(const int16_t* q, const int8_t* const* rows, size_t n, size_t count,
                    int32_t* scores) {
  constexpr size_t kCacheLine = 64;
  constexpr size_t kRowsAhead = 32;
  const size_t bytes_ahead = n < 512 ? n : 512;
  const auto prefetch = [&](const int8_t* row) HWY_ATTR {
    for (size_t i = 0; i < bytes_ahead; i += kCacheLine) {
      __builtin_prefetch(row + i, 0, kSecondLevel);
    }
  };
  for (size_t r = 0; r < count && r < kRowsAhead; ++r) prefetch(rows[r]);
  for (size_t r = 0; r < count; ++r) {
    if (r + kRowsAhead < count) prefetch(rows[r + kRowsAhead]);
    scores[r] = DotIntegers(q, rows[r], n);
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace recall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace recall {

HWY_EXPORT(DotF32);
HWY_EXPORT(DotI8);
HWY_EXPORT(DotI16I8);
HWY_EXPORT(DotI16I8Rows);
HWY_EXPORT(DotI16I8Gather);

float DotF32(const float* a, const float* b, size_t n) {
  return HWY_DYNAMIC_DISPATCH(DotF32)(a, b, n);
}

int32_t DotI8(const int8_t* a, const int8_t* b, size_t n) {
  return HWY_DYNAMIC_DISPATCH(DotI8)(a, b, n);
}

int32_t DotI16I8(const int16_t* q, const int8_t* v, size_t n) {
  return HWY_DYNAMIC_DISPATCH(DotI16I8)(q, v, n);
}

void DotI16I8Rows(const int16_t* q, const int8_t* rows, size_t stride, size_t n, size_t count,
                  int32_t* scores) {
  HWY_DYNAMIC_DISPATCH(DotI16I8Rows)(q, rows, stride, n, count, scores);
}

void DotI16I8Gather(const int16_t* q, const int8_t* const* rows, size_t n, size_t count,
                    int32_t* scores) {
  HWY_DYNAMIC_DISPATCH(DotI16I8Gather)(q, rows, n, count, scores);
}

}  // namespace recall
#endif  // HWY_ONCE
