#pragma once

// Readers of the fields that all formats of document lines share. They return values in the form in
// which the store keeps them. Errors go to the status of the record.

#include <optional>
#include <string>
#include <string_view>

#include "query/add/records/json_record.h"
#include "storage/base/clock.h"
#include "storage/documents/document_store.h"

namespace recall {

// True if a document can have this path: it is not empty and contains no NUL.
bool CanBePath(std::string_view path);

// True if `parser` is the name of a parser that a document can have.
bool IsKnownParser(std::string_view parser);
// Whether a text may be asked for as the language of documents: a code of two letters, "none" or
// "detect".
bool CanBeLanguage(std::string_view text);
// The reason why DocRow::grammar cannot be that of the document: "is of a document that is no
// source code"; empty if it can, also if there is none.
std::string GrammarObjection(const DocRow& doc);

// Reads a path. A string that cannot be a path sets the error of the record.
std::string ReadPath(JsonRecord& record, size_t field);

// Reads the language of a document, as CanBeLanguage; "detect" for null.
std::string ReadLanguage(JsonRecord& record, size_t field);

// Reads an RFC 3339 time; nullopt for null or a missing field.
std::optional<UnixNanos> ReadMtime(JsonRecord& record, size_t field);

// Reads a metadata object in the form in which `add` stores it, so that adding the file later finds
// it unchanged; nullopt for null or a missing field.
std::optional<std::string> ReadMeta(JsonRecord& record, size_t field);

}  // namespace recall
