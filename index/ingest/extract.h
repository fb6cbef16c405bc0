#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// The text of a file, byte for byte. InvalidArgument when it is not text (a NUL byte or
// ill-formed UTF-8: the message says which and where), LimitExceeded when it is larger than
// `max_bytes`, NotFound or IoError when it cannot be read. Messages leave out the path, which the
// caller names. The file may change meanwhile; what is read then is some mixture of old and new.
Result<std::string> ReadTextFile(const std::string& path, uint64_t max_bytes);

// OK when `text` is text, as files must be: InvalidArgument as above.
Status CheckText(std::string_view text);

// Metadata at the top of a text as a JSON object with sorted, normalised keys, or nothing:
// YAML front matter between `---` lines (what is not YAML is read as `key: value` lines), else
// `Key: value` lines below an optional first heading. Looks at the first 64 KiB only.
// Keys: lower case, runs of space, `_` and `-` become one `_`, other ASCII punctuation is dropped;
// of equal keys the last wins. YAML scalars become null, booleans and numbers as YAML 1.2's core
// schema has them (dates and numbers like 007 stay strings); values of lines are strings.
std::optional<std::string> ExtractMetadata(std::string_view text);

}  // namespace recall
