#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "index/search/snapshot/note_records.h"

namespace recall {

// Reads the member `records` of a document in an export (docs/format/export.md). `source`: the path
// of the document. Errors: InvalidArgument, with what is wrong, for values that no store has.
Result<DocumentRecords> ParseDocumentRecords(const nlohmann::json& records,
                                             std::string_view source);

}  // namespace recall
