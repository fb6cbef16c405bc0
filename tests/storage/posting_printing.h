#pragma once

#include <ostream>

#include "storage/sqlite/fts_index.h"

namespace recall {

inline bool operator==(const Posting& a, const Posting& b) {
  return a.row == b.row && a.count == b.count;
}
inline void PrintTo(const Posting& posting, std::ostream* out) {
  *out << posting.row << "x" << posting.count;
}

}  // namespace recall
