#pragma once

#include <string>

#include "query/types/store_types.h"
#include "storage/base/json_writer.h"

namespace recall {

// Writes the fields of a report of an import, a merge or a migration. `lines`: with the number of
// lines of the file.
void WriteFields(const ImportReport& report, bool lines, JsonWriter& json);

// Returns: the report in words: "Added 3, updated 0, unchanged 1 document (7 chunks)". `dry_run`:
// what an import would do.
std::string ToText(const ImportReport& report, bool dry_run);

}  // namespace recall
