#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace recall {

// Decompresses a zlib stream (RFC 1950), as Python's zlib.compress writes it. Returns: nullopt if
// the bytes are no such stream, if its checksum is wrong, or if it holds more than `max_bytes`.
std::optional<std::string> InflateZlib(std::string_view bytes, size_t max_bytes);

}  // namespace recall
