#include "index/source/extract/container/zlib_stream.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "index/source/extract/container/container_libraries.h"

namespace recall {

std::optional<std::string> InflateZlib(std::string_view bytes, size_t max_bytes) {
  const InflateLibrary* const zlib = InflateLibrary::Get();
  z_stream state = {};
  if (zlib == nullptr ||
      zlib->init(&state, MAX_WBITS, ZLIB_VERSION, static_cast<int>(sizeof(z_stream))) != Z_OK) {
    return std::nullopt;
  }
  const std::unique_ptr<z_stream, decltype(zlib->end)> guard(&state, zlib->end);
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  // Of a longer stream the end is missing, so it is refused.
  state.avail_in =
      static_cast<uInt>(std::min<size_t>(bytes.size(), std::numeric_limits<uInt>::max()));
  std::string text;
  std::array<char, 65536> piece;
  for (int code = Z_OK; code != Z_STREAM_END;) {
    state.next_out = reinterpret_cast<Bytef*>(piece.data());
    state.avail_out = static_cast<uInt>(piece.size());
    code = zlib->inflate(&state, Z_NO_FLUSH);
    const size_t made = piece.size() - state.avail_out;
    // A truncated stream ends with Z_BUF_ERROR.
    if ((code != Z_OK && code != Z_STREAM_END) || made > max_bytes - text.size()) {
      return std::nullopt;
    }
    text.append(piece.data(), made);
  }
  return text;
}

}  // namespace recall
