#pragma once

#include <memory>

#include "index/subword/json_fields.h"
#include "index/subword/piece_splitter.h"
#include "storage/base/result.h"

namespace recall {

// Makes the splitter of the field "pre_tokenizer" of a tokenizer.json. Errors: Corruption;
// Unsupported for an unknown type.
Result<std::unique_ptr<PieceSplitter>> MakePieceSplitter(const Json& part);

}  // namespace recall
