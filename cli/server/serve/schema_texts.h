#pragma once

#include <string_view>

namespace recall {

// The JSON schemas of docs/schema, as one JSON object: each by its name, as "search".
extern const std::string_view kSchemaTexts;

}  // namespace recall
