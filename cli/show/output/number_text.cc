#include "cli/show/output/number_text.h"

#include <cstdio>

namespace recall {

std::string FormatNumber(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), format, value);
  return buffer;
}

}  // namespace recall
