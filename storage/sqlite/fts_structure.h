#pragma once

#include <cstdint>
#include <vector>

#include "storage/base/result.h"

namespace recall {

class Connection;

// The sorted runs that make up FTS5's index, by level: sixteen of one are merged into one of the
// next. Pages are rows of lexicon_data of some kilobytes, not pages of the file.
struct FtsLevel {
  int64_t runs = 0;
  int64_t pages = 0;
};

// From level 0 on. Corruption when the list of runs makes no sense.
Result<std::vector<FtsLevel>> ReadFtsLevels(Connection& connection);

}  // namespace recall
