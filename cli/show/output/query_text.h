#pragma once

// Rows of a query as tab-separated lines for tools, or as records for people.

#include <string>
#include <string_view>
#include <vector>

#include "cli/show/terminal/terminal.h"
#include "query/types/query_types.h"

namespace recall {

// Escapes backslash, tab, newline, carriage return and the other ASCII control characters as \\ \t
// \n \r and \x1b, so that a cell of a table stays on its line and in its column.
std::string EscapeCell(std::string_view text);

// With `cite` a row has its exact citation (CitationOf) as the last column.

// Returns: the columns in the order of SELECT, separated by tabs, and a newline. Null is empty;
// lists and objects are JSON.
std::string FormatRow(const std::vector<QueryColumn>& columns, const QueryRow& row,
                      const TextStyle& style, bool cite = false);

// Returns: the rows as a table for people: aligned, cut to the window, scores to three decimals.
std::string FormatRowTable(const std::vector<QueryColumn>& columns,
                           const std::vector<QueryRow>& rows, const TextStyle& style,
                           bool cite = false);

// Return: the names of the columns, or a row, as a line of CSV (RFC 4180, with a newline at its
// end). A cell is in quotes if it contains a comma, a quote or a line break.
std::string FormatCsvHead(const std::vector<QueryColumn>& columns, bool cite = false);
std::string FormatCsvRow(const std::vector<QueryColumn>& columns, const QueryRow& row,
                         const TextStyle& style, bool cite = false);

// Returns: a line "name  value" for each column that is not empty. Text of several lines follows
// its name, indented.
std::string FormatRecord(const std::vector<QueryColumn>& columns, const QueryRow& row,
                         const TextStyle& style, bool cite = false);

}  // namespace recall
