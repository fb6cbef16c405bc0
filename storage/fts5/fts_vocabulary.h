#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "storage/base/status.h"

namespace recall {

class Connection;

// One token of a row, according to the full-text index.
struct FtsInstance {
  std::string_view term;
  int64_t row = 0;
  bool compound = false;  // of the column `compound`, else of `body`
  int64_t offset = 0;     // position among the column's tokens
};

// Visits all tokens of the full-text index, term by term; rows ascend within a term. In a damaged
// file, rows may be any number. Creates a temporary table on the connection, even on a read-only
// one. Cost: 0.15 microseconds an instance. Errors: Corruption; those of the visitor.
Status ScanFtsInstances(Connection& connection,
                        const std::function<Status(const FtsInstance&)>& visit);

// Visits the tokens of the full-text index, of both columns. A token is visited once for each run
// that contains it, in no particular order, also if all its rows are deleted. Cost: reads all
// leaves, decodes no postings. Errors: Corruption; those of the visitor.
Status ScanFtsTokens(Connection& connection, const std::function<void(std::string_view)>& visit);

}  // namespace recall
