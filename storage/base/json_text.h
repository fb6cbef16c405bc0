#pragma once

// The atoms of JSON text, in the one spelling that Recall prints everywhere.

#include <string>
#include <string_view>

namespace recall {

// A string with its quotes. Escapes what JSON demands (`"`, `\`, control characters; \n and the
// like by letter) and nothing else. Requires: `text` is UTF-8; other bytes are copied as they are.
void AppendJsonString(std::string_view text, std::string* out);

// The shortest form that reads back to the same double. A whole number keeps its fraction (1.0),
// so that typed readers see what it is; what is not finite has no form in JSON and becomes null.
void AppendJsonNumber(double value, std::string* out);

}  // namespace recall
