#pragma once

#include <string>

namespace recall {

// A number as printf prints it; short.
std::string FormatNumber(const char* format, double value);

}  // namespace recall
