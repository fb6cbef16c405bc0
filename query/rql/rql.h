#pragma once

// RQL and its filter language FEL, from text and back. Errors are InvalidArgument (LimitExceeded
// for what is too long or nests too deep) with a TextPosition: line, column, and a caret under it.

#include <string>
#include <string_view>
#include <vector>

#include "index/filter/filter.h"
#include "query/rql/query_ast.h"
#include "storage/base/result.h"

namespace recall {

// Longest text that is parsed.
inline constexpr size_t kMaxRqlBytes = 1 << 20;
inline constexpr size_t kMaxOrderKeys = 64;
inline constexpr size_t kMaxSelectItems = 1024;

// A whole query; a ';' may end it. Names in SELECT that mean nothing append to `warnings`.
// Cost: linear in the text. Memory: in proportion to the text, never to its nesting.
Result<RqlQuery> ParseRql(std::string_view text, std::vector<std::string>* warnings);
// A filter alone, as --filter takes it.
Result<FilterExpr> ParseFilter(std::string_view text);

// Canonical text: keywords in capitals, FROM first, one space, single quotes, fields qualified.
// ParseRql(PrintRql(q)) == q, and likewise for filters.
std::string PrintRql(const RqlQuery& query);
std::string PrintFilter(const FilterExpr& filter);

// The same positioned error for faults that are found after parsing.
Status ErrorAt(std::string_view text, const FilterError& error);

}  // namespace recall
