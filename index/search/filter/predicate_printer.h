#pragma once

#include <string>
#include <string_view>

#include "index/search/filter/filter_expr.h"

namespace recall {

// The canonical text of literals and predicates (docs/rql.md, "Canonical text").

// Appends a string in single quotes, with quotes and backslashes in it doubled.
void AppendString(std::string_view text, std::string* out);
void AppendPredicate(const Predicate& predicate, std::string* out);
std::string PrintPredicate(const Predicate& predicate);

}  // namespace recall
