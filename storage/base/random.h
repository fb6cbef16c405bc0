#pragma once

#include <cstddef>
#include <string>

namespace recall {

// Returns `bytes` (at most 16) bytes from the system's random generator as hexadecimal digits.
std::string RandomHex(size_t bytes);

}  // namespace recall
