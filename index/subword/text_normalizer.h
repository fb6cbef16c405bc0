#pragma once

// The first step of a subword tokenizer: text becomes text.

#include <memory>
#include <string>
#include <string_view>

#include "index/subword/json_fields.h"
#include "storage/base/result.h"

namespace recall {

// Immutable: safe to use from several threads.
class TextNormalizer {
 public:
  virtual ~TextNormalizer() = default;
  // Appends the normal form of `text` to *out. Requires: `text` is UTF-8. The result is UTF-8.
  virtual void Append(std::string_view text, std::string* out) const = 0;
};

}  // namespace recall
