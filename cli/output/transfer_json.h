#pragma once

#include "cli/output/json.h"
#include "query/store_types.h"

namespace recall {

// What an import or a migration did, field by field.
Json ToJson(const ImportReport& report);

}  // namespace recall
