#pragma once

// Parses and prints RQL and its filter language FEL. Errors are InvalidArgument, or LimitExceeded
// for text that is too long, has too many parts or nests too deep. They have a TextPosition: line,
// column, and an excerpt with a caret. All functions are thread-safe.

#include <string>
#include <string_view>
#include <vector>

#include "query/rql/query_ast.h"
#include "storage/base/result.h"

namespace recall {

// The maximum size of a query or filter.
inline constexpr size_t kMaxRqlBytes = 1 << 20;
inline constexpr size_t kMaxOrderKeys = 64;
inline constexpr size_t kMaxSelectItems = 1024;

// Parses a whole query, which may end with ';'. Appends a warning to `warnings`, unless it is null,
// for each unknown name in SELECT, and if SELECT names chunk fields but rows have no chunk. Cost
// and memory: linear in the text. The recursion depth is bounded.
Result<RqlQuery> ParseRql(std::string_view text, std::vector<std::string>* warnings);
// Parses a filter without a query, as in --filter.
Result<FilterExpr> ParseFilter(std::string_view text);

// Prints canonical text: keywords in capitals, FROM first, single spaces, single quotes, qualified
// fields. ParseRql(PrintRql(q)) == q, and likewise for filters.
std::string PrintRql(const RqlQuery& query);
std::string PrintFilter(const FilterExpr& filter);

// Returns: the InvalidArgument error with a position, for an error in the filter `text` that is
// detected after parsing.
Status ErrorAt(std::string_view text, const FilterError& error);

}  // namespace recall
