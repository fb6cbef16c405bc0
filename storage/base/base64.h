#pragma once

// RFC 4648, section 4: the standard alphabet, with padding.

#include <optional>
#include <string>
#include <string_view>

#include "storage/base/coding.h"

namespace recall {

void AppendBase64(ByteSpan bytes, std::string* out);

// Returns the bytes of `text`. Returns nothing if AppendBase64 cannot have written it: a character
// outside the alphabet, padding that is missing or in the middle, or unused bits that are not zero.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace recall
