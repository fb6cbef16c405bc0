#pragma once

#include <string>

namespace recall {

// Formats a number as printf does. The result must be short.
std::string FormatNumber(const char* format, double value);

}  // namespace recall
