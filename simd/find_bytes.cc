#include <cstring>

#include "simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/find_bytes.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace recall {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

bool IsAt(const uint8_t* at, const uint8_t* wanted, size_t size) {
  return std::memcmp(at, wanted, size) == 0;
}

// Compares the first and the last byte at as many places as a register holds (W. Mula, "SIMD-
// friendly algorithms for substring searching", 2016). Where both are right, the rest is compared.
size_t FindBytes(const uint8_t* bytes, size_t count, const uint8_t* wanted, size_t size) {
  const hn::CappedTag<uint8_t, 64> d;
  const size_t lanes = hn::Lanes(d);
  const auto first = hn::Set(d, wanted[0]);
  const auto last = hn::Set(d, wanted[size - 1]);
  size_t i = 0;
  for (; i + lanes + size - 1 <= count; i += lanes) {
    const auto found = hn::And(hn::Eq(hn::LoadU(d, bytes + i), first),
                               hn::Eq(hn::LoadU(d, bytes + i + size - 1), last));
    if (hn::AllFalse(d, found)) continue;
    uint64_t places = 0;
    hn::StoreMaskBits(d, found, reinterpret_cast<uint8_t*>(&places));
    for (; places != 0; places &= places - 1) {
      const size_t at = i + hwy::Num0BitsBelowLS1Bit_Nonzero64(places);
      if (IsAt(bytes + at, wanted, size)) return at;
    }
  }
  for (; i + size <= count; ++i) {
    if (bytes[i] == wanted[0] && IsAt(bytes + i, wanted, size)) return i;
  }
  return SIZE_MAX;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace recall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace recall {

HWY_EXPORT(FindBytes);

size_t FindBytes(std::span<const uint8_t> bytes, std::span<const uint8_t> wanted) {
  return HWY_DYNAMIC_DISPATCH(FindBytes)(bytes.data(), bytes.size(), wanted.data(), wanted.size());
}

}  // namespace recall
#endif  // HWY_ONCE
