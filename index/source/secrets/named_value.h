#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "index/source/secrets/secret_judge.h"

namespace recall {

// A value with the name before it: `export API_KEY="..."`, `"password": "..."`, `--token ...`,
// `<secret>...</secret>`, `access_token=...&`. Ranges of the text.
struct NamedValue {
  size_t name_begin = 0;
  size_t name_end = 0;
  size_t begin = 0;  // of the value, without quotes
  size_t end = 0;
  SecretEvidence evidence = SecretEvidence::kAssigned;
};

// Returns: the value of the name that contains text[begin, end). Looks at some hundred bytes before
// the value, and at the value.
std::optional<NamedValue> ValueOfName(std::string_view text, size_t begin, size_t end);

}  // namespace recall
