#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// The text of a file, byte for byte. InvalidArgument when it is not text (a NUL byte or
// ill-formed UTF-8: the message says which and where), LimitExceeded when it is larger than
// `max_bytes`, NotFound or IoError when it cannot be read.
Result<std::string> ReadTextFile(const std::string& path, uint64_t max_bytes);

// Metadata at the top of a text as a JSON object with sorted, normalised keys, or nothing:
// YAML front matter between `---` lines, else `Key: value` lines below an optional first heading.
// Keys: lower case, runs of space, `_` and `-` become one `_`. Scalars keep their YAML type.
std::optional<std::string> ExtractMetadata(std::string_view text);

}  // namespace recall
