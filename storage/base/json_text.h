#pragma once

// Writes the scalars of JSON text, in one spelling for all output of Recall.

#include <string>
#include <string_view>

namespace recall {

// Appends a string with its quotes. Escapes only the characters that JSON requires: `"`, `\` and
// control characters, with the letter forms (\n) where they exist. Requires: `text` is UTF-8; other
// bytes are copied unchanged.
void AppendJsonString(std::string_view text, std::string* out);

// Appends the shortest form that parses to the same double. A whole number keeps its fraction
// (1.0), so that typed readers recognise a double. JSON cannot express infinities and NaNs; they
// become null.
void AppendJsonNumber(double value, std::string* out);

}  // namespace recall
