#pragma once

#include <string>

#include "cli/output/json.h"
#include "query/types/store_types.h"

namespace recall {

// What an import, a merge or a migration did, field by field.
Json ToJson(const ImportReport& report);

// The same in words: "Added 3, updated 0, unchanged 1 document (7 chunks)", or what a dry run
// would.
std::string ToText(const ImportReport& report, bool dry_run);

}  // namespace recall
