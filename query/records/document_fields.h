#pragma once

// Readers for the fields that all formats of document lines share. They return values in the form
// in which the store keeps them.

#include <optional>
#include <string>
#include <string_view>

#include "query/records/json_record.h"
#include "storage/base/clock.h"

namespace recall {

// Whether a document can have this path: it is not empty and contains no NUL.
bool CanBePath(std::string_view path);

// Whether `parser` is the name of a parser.
bool IsKnownParser(std::string_view parser);

// Reads a path; a string that cannot be a path becomes the error of the record.
std::string ReadPath(JsonRecord& record, size_t field);

// Reads an RFC 3339 time; nullopt for null or a missing field.
std::optional<UnixNanos> ReadMtime(JsonRecord& record, size_t field);

// Reads a metadata object in the form in which `add` stores it, so that adding the file later finds
// it unchanged; nullopt for null or a missing field.
std::optional<std::string> ReadMeta(JsonRecord& record, size_t field);

}  // namespace recall
