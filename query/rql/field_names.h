#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/search/filter/fields.h"

namespace recall {

// The parts of a name between its dots, as in doc.meta.author; at least one. docs/rql.md, "Fields",
// defines their meaning.
using NameParts = std::vector<std::string>;

// Resolves the table names doc and chunk, ignoring case. Returns: nullopt for other names.
std::optional<FieldTable> FindTable(std::string_view name);
// Resolves a name that begins with its table: doc.NAME, chunk.NAME, doc.meta.KEY.... Returns:
// nullopt if there is no such field.
std::optional<FieldRef> FindQualified(const NameParts& parts);
// Also resolves a name without a table: to a field of the document, or else of the chunk. The name
// `tokens` alone is a field of the chunk.
std::optional<FieldRef> FindAny(const NameParts& parts);

// Returns a hint for an unknown name: the field with the most similar name, or else the fields of
// its table.
std::string SuggestField(const NameParts& parts);

FieldTable TableOf(const FieldRef& field);

}  // namespace recall
