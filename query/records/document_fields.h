#pragma once

// What lines of documents have in common, whoever wrote them: read as the store keeps it.

#include <optional>
#include <string>
#include <string_view>

#include "query/records/json_record.h"
#include "storage/base/clock.h"

namespace recall {

// Whether a document can have this path: it is not empty and holds no NUL.
bool CanBePath(std::string_view path);

// Whether a document can be of this parser.
bool IsKnownParser(std::string_view parser);

// A string that CanBePath; else the record's fault.
std::string ReadPath(JsonRecord& record, size_t field);

// RFC 3339; nothing for null or a missing field.
std::optional<UnixNanos> ReadMtime(JsonRecord& record, size_t field);

// An object as `add` stores metadata, so that adding the file later finds it unchanged; nothing for
// null or a missing field.
std::optional<std::string> ReadMeta(JsonRecord& record, size_t field);

}  // namespace recall
