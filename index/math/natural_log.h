#pragma once

namespace recall {

// ln(x) from + - * / alone, so that every CPU and C library gives the same bits: what it weighs
// decides an order. Error below 1e-15 of the result or 1e-16, whichever is larger.
// Requires: x is positive, finite and normal.
double NaturalLog(double x);

}  // namespace recall
