#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// An element of an array or a member of an object.
struct JsonElement {
  std::string_view name;   // of a member, as it is written between its quotes
  std::string_view value;  // one JSON value, not yet parsed
  int64_t line = 0;        // where the value begins, from 1
};

// The elements of a JSON array or object, without parsing them: a large array need not be in memory
// as a tree. `first_line`: the line on which `text` begins. Whether an element is valid JSON shows
// when it is parsed. Errors: InvalidArgument, with the line, if the text is no such container.
Result<std::vector<JsonElement>> SplitJson(std::string_view text, int64_t first_line);

}  // namespace recall
