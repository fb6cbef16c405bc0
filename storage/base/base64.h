#pragma once

// RFC 4648, section 4: the standard alphabet, with padding.

#include <optional>
#include <string>
#include <string_view>

#include "storage/base/coding.h"

namespace recall {

void AppendBase64(ByteSpan bytes, std::string* out);

// The bytes of `text`, or nothing when it is not what AppendBase64 writes: other characters,
// padding that is missing or in the middle, left-over bits that are not zero.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace recall
