#include "simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/panel.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace recall {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Dense and sparse products of float matrices ("panels" that fit the caches), for training the LSA
// model and for embedding texts. A BLAS is not used: its kernels, and so its roundings, differ
// between CPUs.
//
// Bit-exactness: every element of a result is a sum of its own, added in the order of the terms.
// Registers of any length may therefore be used: lane j only ever works on element j. Multiply and
// add stay separate, as in dot.cc.
//
// MultiplyF32 blocks the product in registers. A tile of the result is kRows x kVectors registers;
// all terms are added before a tile is stored:
//
//               b: inner x columns              for t in 0 .. inner - 1:
//                  | strip |                      load kVectors registers of b's row t
//   a:   [4 rows]  [ tile  ]  c                   for each of 4 rows r of a:
//        [4 rows]  [       ]                        tile[r] += a[r, t] * registers
//
// A strip of b stays in the first-level cache while all rows of a pass. Each load from b is used
// for four rows, each load from a for kVectors registers. Tiles of one row, strips of one register
// and single columns handle the remainders, in the same order of additions.
//
// Cost: rows * inner * columns multiplications and additions.

using DF = hn::ScalableTag<float>;

void AddScaledF32(float* y, float a, const float* x, size_t n) {
  const DF d;
  const auto factor = hn::Set(d, a);
  size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    hn::StoreU(hn::Add(hn::LoadU(d, y + i), hn::Mul(factor, hn::LoadU(d, x + i))), d, y + i);
  }
  for (; i < n; ++i) y[i] += a * x[i];
}

// Components i and half + i share a byte, so that a register of bytes becomes two registers of
// floats without a shuffle.
void AddScaledI4(float* y, float a, const uint8_t* x, size_t half) {
  const DF d;
  const hn::Rebind<int32_t, DF> d32;
  const hn::Rebind<int8_t, DF> d8;
  const auto factor = hn::Set(d, a);
  const auto add = [&](float* to, hn::Vec<decltype(d32)> values) HWY_ATTR {
    hn::StoreU(hn::Add(hn::LoadU(d, to), hn::Mul(factor, hn::ConvertTo(d, values))), d, to);
  };
  size_t i = 0;
  for (; i + hn::Lanes(d) <= half; i += hn::Lanes(d)) {
    const auto pairs = hn::PromoteTo(d32, hn::LoadU(d8, reinterpret_cast<const int8_t*>(x) + i));
    add(y + i, hn::ShiftRight<28>(hn::ShiftLeft<28>(pairs)));
    add(y + half + i, hn::ShiftRight<4>(pairs));
  }
  for (; i < half; ++i) {
    const int pair = static_cast<int8_t>(x[i]);
    const int low = (pair & 15) - ((pair & 8) << 1);
    y[i] += a * static_cast<float>(low);
    y[half + i] += a * static_cast<float>(pair >> 4);
  }
}

// Adds the whole list in kVectors registers of columns, so that no partial sum is stored.
template <size_t kVectors, class D>
HWY_INLINE void SumScaledRows(D d, const float* values, const uint32_t* rows, size_t count,
                              const float* x, size_t stride, float* out) {
  hn::Vec<D> sums[kVectors];
  for (auto& sum : sums) sum = hn::Zero(d);
  for (size_t t = 0; t < count; ++t) {
    const auto factor = hn::Set(d, values[t]);
    const float* row = x + rows[t] * stride;
    for (size_t v = 0; v < kVectors; ++v) {
      sums[v] = hn::Add(sums[v], hn::Mul(factor, hn::LoadU(d, row + v * hn::Lanes(d))));
    }
  }
  for (size_t v = 0; v < kVectors; ++v) hn::StoreU(sums[v], d, out + v * hn::Lanes(d));
}

void SumScaledRowsF32(const float* values, const uint32_t* rows, size_t count, const float* x,
                      size_t stride, size_t n, float* out) {
  // AVX-512 has 32 registers, the others 16 or more. Each pass reads all rows again, so as few
  // passes as possible: the 288 columns of a training take one, or with AVX2 three.
  constexpr size_t kMost = HWY_TARGET <= HWY_AVX3 ? 18 : 12;
  constexpr size_t kSome = kMost / 3;
  const DF d;
  size_t j = 0;
  for (; j + kMost * hn::Lanes(d) <= n; j += kMost * hn::Lanes(d)) {
    SumScaledRows<kMost>(d, values, rows, count, x + j, stride, out + j);
  }
  for (; j + kSome * hn::Lanes(d) <= n; j += kSome * hn::Lanes(d)) {
    SumScaledRows<kSome>(d, values, rows, count, x + j, stride, out + j);
  }
  for (; j + hn::Lanes(d) <= n; j += hn::Lanes(d)) {
    SumScaledRows<1>(d, values, rows, count, x + j, stride, out + j);
  }
  for (; j < n; ++j) {
    float sum = 0;
    for (size_t t = 0; t < count; ++t) sum += values[t] * x[rows[t] * stride + j];
    out[j] = sum;
  }
}

// Computes kRows rows and kVectors registers of columns of the product.
template <size_t kRows, size_t kVectors, class D>
HWY_INLINE void ProductTile(D d, const float* a, size_t a_row, size_t a_inner, const float* b,
                            size_t b_stride, size_t inner, float* c, size_t c_stride) {
  hn::Vec<D> sums[kRows][kVectors];
  for (auto& row : sums) {
    for (auto& sum : row) sum = hn::Zero(d);
  }
  for (size_t t = 0; t < inner; ++t) {
    hn::Vec<D> columns[kVectors];
    for (size_t v = 0; v < kVectors; ++v) {
      columns[v] = hn::LoadU(d, b + t * b_stride + v * hn::Lanes(d));
    }
    for (size_t r = 0; r < kRows; ++r) {
      const auto factor = hn::Set(d, a[r * a_row + t * a_inner]);
      for (size_t v = 0; v < kVectors; ++v) {
        sums[r][v] = hn::Add(sums[r][v], hn::Mul(factor, columns[v]));
      }
    }
  }
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t v = 0; v < kVectors; ++v) {
      hn::StoreU(sums[r][v], d, c + r * c_stride + v * hn::Lanes(d));
    }
  }
}

template <size_t kVectors, class D>
HWY_INLINE void ProductStrip(D d, const float* a, size_t a_row, size_t a_inner, const float* b,
                             size_t b_stride, size_t rows, size_t inner, float* c,
                             size_t c_stride) {
  constexpr size_t kRows = 4;
  size_t r = 0;
  for (; r + kRows <= rows; r += kRows) {
    ProductTile<kRows, kVectors>(d, a + r * a_row, a_row, a_inner, b, b_stride, inner,
                                 c + r * c_stride, c_stride);
  }
  for (; r < rows; ++r) {
    ProductTile<1, kVectors>(d, a + r * a_row, a_row, a_inner, b, b_stride, inner, c + r * c_stride,
                             c_stride);
  }
}

// The outer loop is over strips of columns: a strip of b stays in the first-level cache while all
// rows pass.
void MultiplyF32(const float* a, size_t a_row, size_t a_inner, const float* b, size_t b_stride,
                 size_t rows, size_t inner, size_t columns, float* c, size_t c_stride) {
  constexpr size_t kVectors = 2;
  const DF d;
  size_t j = 0;
  for (; j + kVectors * hn::Lanes(d) <= columns; j += kVectors * hn::Lanes(d)) {
    ProductStrip<kVectors>(d, a, a_row, a_inner, b + j, b_stride, rows, inner, c + j, c_stride);
  }
  for (; j + hn::Lanes(d) <= columns; j += hn::Lanes(d)) {
    ProductStrip<1>(d, a, a_row, a_inner, b + j, b_stride, rows, inner, c + j, c_stride);
  }
  for (; j < columns; ++j) {
    for (size_t r = 0; r < rows; ++r) {
      float sum = 0;
      for (size_t t = 0; t < inner; ++t) sum += a[r * a_row + t * a_inner] * b[t * b_stride + j];
      c[r * c_stride + j] = sum;
    }
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace recall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace recall {

HWY_EXPORT(AddScaledF32);
HWY_EXPORT(AddScaledI4);
HWY_EXPORT(SumScaledRowsF32);
HWY_EXPORT(MultiplyF32);

void AddScaledF32(float* y, float a, const float* x, size_t n) {
  HWY_DYNAMIC_DISPATCH(AddScaledF32)(y, a, x, n);
}

void AddScaledI4(float* y, float a, const uint8_t* x, size_t half) {
  HWY_DYNAMIC_DISPATCH(AddScaledI4)(y, a, x, half);
}

void SumScaledRowsF32(const float* values, const uint32_t* rows, size_t count, const float* x,
                      size_t stride, size_t n, float* out) {
  HWY_DYNAMIC_DISPATCH(SumScaledRowsF32)(values, rows, count, x, stride, n, out);
}

void MultiplyF32(const float* a, size_t a_row, size_t a_inner, const float* b, size_t b_stride,
                 size_t rows, size_t inner, size_t columns, float* c, size_t c_stride) {
  HWY_DYNAMIC_DISPATCH(MultiplyF32)
  (a, a_row, a_inner, b, b_stride, rows, inner, columns, c, c_stride);
}

}  // namespace recall
#endif  // HWY_ONCE
