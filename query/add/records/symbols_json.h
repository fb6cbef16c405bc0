#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "storage/base/result.h"
#include "storage/tables/symbol.h"

namespace recall {

// Reads the field `symbols` of a chunk of an export (docs/format/export.md): an array of objects.
// Errors: InvalidArgument that completes the sentence "`symbols` ...".
Result<std::vector<Symbol>> ParseSymbols(const nlohmann::json& symbols);

}  // namespace recall
