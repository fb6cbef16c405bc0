#include "simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/widen.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace recall {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Every element is a sum of its own, so registers may have any length. Multiply and add stay
// separate, as in dot.cc.
using DF = hn::ScalableTag<float>;
using DU = hn::RebindToUnsigned<DF>;
using DI = hn::RebindToSigned<DF>;
using D16 = hn::Rebind<uint16_t, DF>;
using D8 = hn::Rebind<int8_t, DF>;
using VF = hn::Vec<DF>;

// Loads Lanes(DF()) numbers of two bytes from any address. (A half register would also do, except
// on targets where a register is one number.)
HWY_INLINE hn::Vec<DU> LoadU16(const uint8_t* from) {
  constexpr size_t kMost = hn::MaxLanes(D16());
  HWY_ALIGN uint16_t numbers[kMost];
  hwy::CopyBytes<kMost * sizeof(uint16_t)>(from, numbers);
  return hn::PromoteTo(DU(), hn::Load(D16(), numbers));
}

struct Half {
  static constexpr size_t kBytes = 2;
  // Integer arithmetic, because not every target has the conversion instruction.
  static HWY_INLINE VF Load(const uint8_t* from) {
    const DF df;
    const DU du;
    const auto bits = LoadU16(from);
    const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFu));
    const auto bias = hn::Set(du, 112u << 23);
    const auto special = hn::VecFromMask(du, hn::Gt(magnitude, hn::Set(du, 0x7BFFu)));
    const auto normal =
        hn::Add(hn::Add(hn::ShiftLeft<13>(magnitude), bias), hn::And(special, bias));
    const auto whole = hn::ConvertTo(df, hn::BitCast(DI(), magnitude));
    const auto subnormal = hn::BitCast(du, hn::Mul(whole, hn::Set(df, 0x1p-24f)));
    const auto small = hn::Lt(magnitude, hn::Set(du, 0x400u));
    const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000u)));
    return hn::BitCast(df, hn::Or(sign, hn::IfThenElse(small, subnormal, normal)));
  }
};

struct Bfloat {
  static constexpr size_t kBytes = 2;
  static HWY_INLINE VF Load(const uint8_t* from) {
    return hn::BitCast(DF(), hn::ShiftLeft<16>(LoadU16(from)));
  }
};

struct Byte {
  static constexpr size_t kBytes = 1;
  static HWY_INLINE VF Load(const uint8_t* from) {
    const auto bytes = hn::LoadU(D8(), reinterpret_cast<const int8_t*>(from));
    return hn::ConvertTo(DF(), hn::PromoteTo(DI(), bytes));
  }
};

template <typename Type>
HWY_INLINE void AddScaled(float* y, float a, const uint8_t* x, size_t n) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  const auto factor = hn::Set(d, a);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto values = Type::Load(x + i * Type::kBytes);
    hn::StoreU(hn::Add(hn::LoadU(d, y + i), hn::Mul(factor, values)), d, y + i);
  }
  if (i == n) return;
  // The rest with the same arithmetic, in a register padded with zeros.
  HWY_ALIGN uint8_t rest[hn::MaxLanes(d) * Type::kBytes] = {};
  HWY_ALIGN float sums[hn::MaxLanes(d)] = {};
  std::memcpy(rest, x + i * Type::kBytes, (n - i) * Type::kBytes);
  std::memcpy(sums, y + i, (n - i) * sizeof(float));
  hn::Store(hn::Add(hn::Load(d, sums), hn::Mul(factor, Type::Load(rest))), d, sums);
  std::memcpy(y + i, sums, (n - i) * sizeof(float));
}

void AddScaledF16(float* y, float a, const uint8_t* x, size_t n) { AddScaled<Half>(y, a, x, n); }
void AddScaledBf16(float* y, float a, const uint8_t* x, size_t n) { AddScaled<Bfloat>(y, a, x, n); }
void AddScaledI8(float* y, float a, const uint8_t* x, size_t n) { AddScaled<Byte>(y, a, x, n); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace recall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace recall {

HWY_EXPORT(AddScaledF16);
HWY_EXPORT(AddScaledBf16);
HWY_EXPORT(AddScaledI8);

void AddScaledF16(float* y, float a, const uint8_t* x, size_t n) {
  HWY_DYNAMIC_DISPATCH(AddScaledF16)(y, a, x, n);
}

void AddScaledBf16(float* y, float a, const uint8_t* x, size_t n) {
  HWY_DYNAMIC_DISPATCH(AddScaledBf16)(y, a, x, n);
}

void AddScaledI8(float* y, float a, const uint8_t* x, size_t n) {
  HWY_DYNAMIC_DISPATCH(AddScaledI8)(y, a, x, n);
}

}  // namespace recall
#endif  // HWY_ONCE
