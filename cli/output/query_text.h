#pragma once

// Rows of a query as lines that tools cut, or as records that people read.

#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/terminal.h"
#include "query/types/search_types.h"

namespace recall {

// Backslash, tab, newline, carriage return and the other ASCII control characters as \\ \t \n \r
// and \x1b, so that a cell stays a cell. Everything else as it is.
std::string EscapeCell(std::string_view text);

// The columns in the order of SELECT with a tab between them, and a newline. What is null is empty;
// lists and objects are JSON.
std::string FormatRow(const std::vector<QueryColumn>& columns, const QueryRow& row,
                      const TextStyle& style);

// A line "name  value" for each column that is not empty; text of several lines stands below its
// name, indented.
std::string FormatRecord(const std::vector<QueryColumn>& columns, const QueryRow& row,
                         const TextStyle& style);

}  // namespace recall
