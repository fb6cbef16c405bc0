#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "storage/base/status.h"

namespace recall {

class Connection;

// One token that the lexicon says a row holds.
struct FtsInstance {
  std::string_view term;
  int64_t row = 0;
  bool compound = false;  // of the column `compound`, else of `body`
  int64_t offset = 0;     // among the column's tokens
};

// Everything that `lexicon` holds, term by term, rows ascending within a term. Rows may be any
// number in a damaged file. Makes a temporary table on the connection, also on one that only reads.
// Cost: 0.15 microseconds an instance. Errors: Corruption; the visitor's.
Status ScanFtsInstances(Connection& connection,
                        const std::function<Status(const FtsInstance&)>& visit);

}  // namespace recall
