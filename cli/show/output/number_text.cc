#include "cli/show/output/number_text.h"

#include <cmath>
#include <cstdio>

namespace recall {

std::string FormatNumber(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), format, value);
  return buffer;
}

double LeanScore(double score) {
  double scale = 100;
  while (score > 0 && score * scale < 10 && scale < 1e12) scale *= 10;
  return std::round(score * scale) / scale;
}

}  // namespace recall
