#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace recall {

// Decompresses a zlib stream (RFC 1950), as Python's zlib.compress writes it. Bytes behind the
// stream are ignored. Memory: at most `max_bytes` and a few buffers. Returns: nullopt if the bytes
// are no such stream, if its checksum is wrong, if it holds more than `max_bytes`, or if zlib is
// not installed (InflateLibrary). Thread-safe.
std::optional<std::string> InflateZlib(std::string_view bytes, size_t max_bytes);

}  // namespace recall
