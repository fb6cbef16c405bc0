#pragma once

namespace recall {

// e^x computed with + - * / and powers of two only, so that every CPU and C library gives the same
// bits. The relative error is below 1e-15. Requires: x is from -700 to 700.
double NaturalExp(double x);

}  // namespace recall
