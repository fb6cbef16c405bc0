#pragma once

#include <string>

namespace recall {

// Formats a number as printf does. The result must be short.
std::string FormatNumber(const char* format, double value);

// Rounds a score as lean lines have it: to two decimals, below 0.1 to two significant digits, so
// that small scores still differ. 0.8676 is 0.87, 0.00432 is 0.0043.
double LeanScore(double score);

}  // namespace recall
