#include "index/base/math/natural_log.h"

#include <bit>
#include <cstdint>

namespace recall {

// A natural logarithm with the same bits on every system.
//
// Problem: the C standard does not require log() to be correctly rounded, and libraries differ in
// the last bit. Idf weights are sums of such logarithms, and one bit could exchange two results.
//
//   x = m * 2^e        m in [sqrt(1/2), sqrt(2)), from the bits of x
//   ln x = e ln 2 + ln m
//   ln m = 2 atanh(s), s = (m - 1) / (m + 1)
//        = 2 (s + s^3/3 + s^5/5 + ...), |s| < 0.1716, so the term s^23/23 is below 1e-18
//
// The polynomial has ten terms after the first, in Horner's scheme. ln 2 is split into a high part,
// so short that e * kLn2High is exact, and a low part (as in fdlibm). The small terms are added
// first.
//
// Invariant: only IEEE additions, multiplications and divisions in a fixed order; the build must
// not contract them to fused multiply-adds. Cost: some tens of operations.
double NaturalLog(double x) {
  constexpr uint64_t kMantissa = (uint64_t{1} << 52) - 1;
  constexpr double kSqrt2 = 1.4142135623730951;
  // ln 2 in two parts; the first is so short that e * kLn2High is exact (as in fdlibm).
  constexpr double kLn2High = 6.93147180369123816490e-01;
  constexpr double kLn2Low = 1.90821492927058770002e-10;

  const auto bits = std::bit_cast<uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & kMantissa) | uint64_t{1023} << 52);
  if (m >= kSqrt2) {
    m /= 2;
    ++exponent;
  }
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double series = 0;
  for (int odd = 21; odd >= 3; odd -= 2) series = (series + 1.0 / odd) * square;
  const double log_m = 2 * s + 2 * s * series;
  return exponent * kLn2High + (log_m + exponent * kLn2Low);
}

}  // namespace recall
