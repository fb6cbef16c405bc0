#pragma once

#include <string>

#include "query/types/store_types.h"
#include "storage/base/json_writer.h"

namespace recall {

// What an import, a merge or a migration did, field by field; `lines` where files have such.
void WriteFields(const ImportReport& report, bool lines, JsonWriter& json);

// The same in words: "Added 3, updated 0, unchanged 1 document (7 chunks)", or what a dry run
// would.
std::string ToText(const ImportReport& report, bool dry_run);

}  // namespace recall
