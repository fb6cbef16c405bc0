#pragma once

#include <string>
#include <vector>

#include "query/types/exchange_types.h"
#include "storage/base/json_writer.h"

namespace recall {

// Writes the fields of a report of an import, a merge or a migration. `lines`: with the number of
// lines of the file.
void WriteFields(const ImportReport& report, bool lines, JsonWriter& json);

// Writes the further fields of an import of another program's memory.
void WriteForeignFields(const ImportReport& report, JsonWriter& json);

// The report of such an import in words, what it did not import or understand (lines, or ""), and a
// warning for each file that was not imported.
std::string ForeignText(const ImportReport& report, bool dry_run);
std::string ForeignDetails(const ImportReport& report);
std::vector<std::string> ForeignWarnings(const ImportReport& report);

// The same of an import of sessions of another program.
void WriteSessionFields(const ImportReport& report, JsonWriter& json);
std::string SessionsText(const ImportReport& report, bool dry_run);
std::string SessionDetails(const ImportReport& report);

// Returns: the report in words: "Added 3, updated 0, unchanged 1 document (7 chunks)". `dry_run`:
// what an import would do.
std::string ToText(const ImportReport& report, bool dry_run);

}  // namespace recall
