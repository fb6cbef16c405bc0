#pragma once

namespace recall {

// ln(x) computed with + - * / only, so that every CPU and C library gives the same bits: weights
// made of it decide the order of results. The error is below the larger of 1e-15 of the result and
// 1e-16. Requires: x is positive, finite and normal.
double NaturalLog(double x);

}  // namespace recall
