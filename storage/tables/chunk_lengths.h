#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "storage/base/status.h"

namespace recall {

class Connection;

// The lengths of chunks in lexical tokens as the chunk table has them, at most 65535: of every
// version of every document, while the columns of a vector space (index/search/columns) lack the
// versions that were removed before the space was filled. Memory: 6 bytes per chunk.
class ChunkLengths final {
 public:
  // Reads those of the chunks below `end`.
  Status Read(Connection& connection, uint32_t end);
  // Returns 0 for a rowid without a chunk. Fastest for ascending rowids.
  uint32_t Of(uint32_t row);

 private:
  // Not indexed by rowid, because many rowids may be without a chunk.
  std::vector<uint32_t> rows_;
  std::vector<uint16_t> lengths_;
  size_t at_ = 0;  // index of the last result
};

}  // namespace recall
