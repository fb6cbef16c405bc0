#include "index/base/math/natural_exp.h"

#include <cmath>

namespace recall {

// The counterpart of NaturalLog (natural_log.cc), with the same invariant: a fixed order of IEEE
// operations.
//
//   x = k ln 2 + r        k an integer, |r| < 0.3466
//   e^x = 2^k e^r         e^r = 1 + r (1 + r/2 (1 + r/3 (...))), the term r^17/17! is below 1e-22
double NaturalExp(double x) {
  constexpr double kLn2High = 6.93147180369123816490e-01;
  constexpr double kLn2Low = 1.90821492927058770002e-10;
  const double k = std::floor(x / (kLn2High + kLn2Low) + 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double series = 1;
  for (int n = 17; n >= 1; --n) series = 1 + r / n * series;
  return std::ldexp(series, static_cast<int>(k));
}

}  // namespace recall
