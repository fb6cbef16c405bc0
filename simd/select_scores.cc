// Selects the greatest of many 16-bit scores.
//
// Problem. A search of 100,000 vectors needs the 1000 best of as many scores. A threshold that
// rises while the scores are computed lets five times as many through, and each of them is a branch
// that no CPU predicts.
//
// Idea. The scores are dealt to as many groups as there are blocks, and the maximum of each group
// is found, lane by lane. The k-th greatest maximum is a lower bound of the k-th greatest score,
// because k scores reach it. A second pass collects what reaches the bound: not much more than k
// (SignCodeScores selects among them).
//
// Cost: one comparison a register in each pass.

#include <bit>

#include "simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/select_scores.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace recall {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<uint16_t, kSignCodeBlock>;
constexpr size_t kLanes = hn::MaxLanes(D());

void MaximaOfScores(const uint16_t* scores, size_t blocks, uint16_t* maxima) {
  const D d;
  for (size_t first = 0; first < blocks; first += kMaximumBlocks, maxima += kSignCodeBlock) {
    const size_t end = blocks - first < kMaximumBlocks ? blocks : first + kMaximumBlocks;
    for (size_t v = 0; v < kSignCodeBlock; v += kLanes) {
      auto greatest = hn::Zero(d);
      for (size_t block = first; block < end; ++block) {
        greatest = hn::Max(greatest, hn::LoadU(d, scores + block * kSignCodeBlock + v));
      }
      hn::StoreU(greatest, d, maxima + v);
    }
  }
}

size_t PlacesOfScores(const uint16_t* scores, size_t blocks, uint16_t least, uint32_t* places) {
  const D d;
  const auto bound = hn::Set(d, least);
  size_t count = 0;
  for (size_t at = 0; at < blocks * kSignCodeBlock; at += kLanes) {
    // Max, because not all targets compare unsigned numbers in one instruction.
    const auto values = hn::LoadU(d, scores + at);
    const auto reach = hn::Eq(hn::Max(values, bound), values);
    if (hn::AllFalse(d, reach)) continue;
    uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, reach, bytes);
    uint32_t bits = uint32_t{bytes[0]} | uint32_t{bytes[1]} << 8 | uint32_t{bytes[2]} << 16 |
                    uint32_t{bytes[3]} << 24;
    for (; bits != 0; bits &= bits - 1) {
      places[count++] = static_cast<uint32_t>(at) + static_cast<uint32_t>(std::countr_zero(bits));
    }
  }
  return count;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace recall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace recall {

HWY_EXPORT(MaximaOfScores);
HWY_EXPORT(PlacesOfScores);

void MaximaOfScores(const uint16_t* scores, size_t blocks, uint16_t* maxima) {
  HWY_DYNAMIC_DISPATCH(MaximaOfScores)(scores, blocks, maxima);
}

size_t PlacesOfScores(const uint16_t* scores, size_t blocks, uint16_t least, uint32_t* places) {
  return HWY_DYNAMIC_DISPATCH(PlacesOfScores)(scores, blocks, least, places);
}

}  // namespace recall
#endif  // HWY_ONCE
