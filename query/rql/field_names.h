#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/filter/fields.h"

namespace recall {

// What the parts of a name mean (docs/rql.md, "Fields").
using NameParts = std::vector<std::string>;

// doc, chunk: in capitals or not.
std::optional<FieldTable> FindTable(std::string_view name);
// doc.NAME, chunk.NAME, doc.meta.KEY....
std::optional<FieldRef> FindQualified(const NameParts& parts);
// Also names without a table, which mean a field of the document, or else of the chunk.
std::optional<FieldRef> FindAny(const NameParts& parts);

// What to write instead: the nearest field, or else what there is.
std::string SuggestField(const NameParts& parts);

FieldTable TableOf(const FieldRef& field);

}  // namespace recall
