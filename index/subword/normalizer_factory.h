#pragma once

#include <memory>

#include "index/subword/json_fields.h"
#include "index/subword/text_normalizer.h"
#include "storage/base/result.h"

namespace recall {

// Makes the normalizer of the field "normalizer" of a tokenizer.json. Errors: Corruption;
// Unsupported for an unknown type.
Result<std::unique_ptr<TextNormalizer>> MakeTextNormalizer(const Json& part);

}  // namespace recall
