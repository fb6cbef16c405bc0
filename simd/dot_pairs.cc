// Dot products of all pairs of rows: a symmetric matrix product of integers.
//
// Problem. A search needs the 45,000 products of 300 rows of 256 bytes. Multiplied pair by pair,
// each ends with a sum across the lanes of a register, and converts both rows to int16 again.
//
// Idea. A panel holds 32 rows as int16 with two components of each row side by side, so that a
// multiplication of pairs leaves the sums of 8 or 16 different rows in the lanes of a register, and
// no sum across lanes is needed. Four other rows at a time are multiplied with two registers of the
// panel: eight sums, which the CPU computes side by side.
//
//   panel   component 0, 1 of row 0 | of row 1 | ... of row 31 | component 2, 3 of row 0 | ...
//
// Invariant: all sums are exact integers, so their order is free.
//
// Cost: n multiplications a pair, and the panel's copy. A panel is at most 16 KiB and stays in the
// first-level cache.

#include <algorithm>
#include <cstring>

#include "simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/dot_pairs.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace recall {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D16 = hn::ScalableTag<int16_t>;
using D32 = hn::RepartitionToWide<D16>;

constexpr size_t kPanelRows = 32;
constexpr size_t kDepth = 256;  // components at a time
constexpr size_t kRows = 4;     // rows at a time that are multiplied with a panel

struct Workspace {
  HWY_ALIGN int16_t panel[kDepth / 2][kPanelRows][2];
  HWY_ALIGN int16_t left[kRows][kDepth];
  HWY_ALIGN int32_t sums[kRows][kPanelRows];
};

void FillPanel(const int8_t* const* rows, size_t count, size_t first, size_t n, Workspace& space) {
  if (count < kPanelRows || n % 2 != 0) std::memset(space.panel, 0, sizeof(space.panel));
  for (size_t k = 0; k < n; ++k) {
    for (size_t c = 0; c < count; ++c) space.panel[k / 2][c][k % 2] = rows[c][first + k];
  }
}

void WidenRow(const int8_t* row, size_t n, int16_t* wide) {
  for (size_t k = 0; k < n; ++k) wide[k] = row[k];
  if (n % 2 != 0) wide[n] = 0;
}

#if HWY_TARGET == HWY_SCALAR

constexpr size_t kTile = 1;

void MultiplyTile(Workspace& space, size_t pairs, size_t column) {
  for (size_t r = 0; r < kRows; ++r) {
    int32_t sum = 0;
    for (size_t k = 0; k < 2 * pairs; ++k) {
      sum += space.left[r][k] * space.panel[k / 2][column][k % 2];
    }
    space.sums[r][column] = sum;
  }
}

#else

constexpr size_t kTile = 2 * hn::MaxLanes(D32());
static_assert(kPanelRows % kTile == 0);

HWY_INLINE hn::Vec<D16> PairOf(const int16_t* components) {
  int32_t pair;
  std::memcpy(&pair, components, sizeof(pair));
  return hn::BitCast(D16(), hn::Set(D32(), pair));
}

// Sets sums[r][column .. column + kTile - 1] from `pairs` pairs of components.
HWY_INLINE void MultiplyTile(Workspace& space, size_t pairs, size_t column) {
  const D16 d16;
  const D32 d32;
  constexpr size_t kLanes = kTile / 2;
  hn::Vec<D32> sums[kRows][2];
  // The second half of each sum, on targets that add the products of a register in two halves.
  hn::Vec<D32> halves[kRows][2];
  for (size_t r = 0; r < kRows; ++r) {
    sums[r][0] = sums[r][1] = halves[r][0] = halves[r][1] = hn::Zero(d32);
  }
  for (size_t k = 0; k < pairs; ++k) {
    const auto right0 = hn::Load(d16, space.panel[k][column]);
    const auto right1 = hn::Load(d16, space.panel[k][column + kLanes]);
    for (size_t r = 0; r < kRows; ++r) {
      const auto left = PairOf(space.left[r] + 2 * k);
      sums[r][0] = hn::ReorderWidenMulAccumulate(d32, left, right0, sums[r][0], halves[r][0]);
      sums[r][1] = hn::ReorderWidenMulAccumulate(d32, left, right1, sums[r][1], halves[r][1]);
    }
  }
  for (size_t r = 0; r < kRows; ++r) {
    int32_t* const to = space.sums[r] + column;
    hn::Store(hn::RearrangeToOddPlusEven(sums[r][0], halves[r][0]), d32, to);
    hn::Store(hn::RearrangeToOddPlusEven(sums[r][1], halves[r][1]), d32, to + kLanes);
  }
}

#endif  // HWY_TARGET == HWY_SCALAR

// Copies the products of the rows from `column` on with a panel of `width` rows to the other side
// of the diagonal. Four columns at a time fill a part of a cache line.
void Mirror(int32_t* products, size_t count, size_t column, size_t width) {
  for (size_t row = column; row < count; row += kRows) {
    const size_t height = std::min(kRows, count - row);
    for (size_t c = 0; c < width; ++c) {
      int32_t* const to = products + (column + c) * count + row;
      for (size_t r = 0; r < height; ++r) to[r] = products[(row + r) * count + column + c];
    }
  }
}

void DotI8Pairs(const int8_t* const* rows, size_t n, size_t count, int32_t* products) {
  Workspace space;
  for (size_t column = 0; column < count; column += kPanelRows) {
    const size_t width = std::min(kPanelRows, count - column);
    size_t first = 0;
    do {
      const size_t depth = std::min(kDepth, n - first);
      FillPanel(rows + column, width, first, depth, space);
      for (size_t row = column; row < count; row += kRows) {
        const size_t height = std::min(kRows, count - row);
        for (size_t r = 0; r < kRows; ++r) {
          WidenRow(rows[row + std::min(r, height - 1)] + first, depth, space.left[r]);
        }
        for (size_t at = 0; at < width; at += kTile) MultiplyTile(space, (depth + 1) / 2, at);
        for (size_t r = 0; r < height; ++r) {
          int32_t* const to = products + (row + r) * count + column;
          for (size_t c = 0; c < width; ++c) to[c] = space.sums[r][c] + (first == 0 ? 0 : to[c]);
        }
      }
      first += kDepth;
    } while (first < n);
    Mirror(products, count, column, width);
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace recall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace recall {

HWY_EXPORT(DotI8Pairs);

void DotI8Pairs(const int8_t* const* rows, size_t n, size_t count, int32_t* products) {
  HWY_DYNAMIC_DISPATCH(DotI8Pairs)(rows, n, count, products);
}

}  // namespace recall
#endif  // HWY_ONCE
