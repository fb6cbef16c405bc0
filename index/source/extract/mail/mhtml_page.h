#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "index/source/extract/types/extraction.h"

namespace recall {

// Returns the page of a web archive (MHTML, RFC 2557): its first part in HTML, as UTF-8 after a
// byte order mark. Nothing if the bytes are no message, or have no such part. Linear in the bytes.
std::optional<std::string> MhtmlPage(std::string_view bytes, const ExtractLimits& limits);

}  // namespace recall
