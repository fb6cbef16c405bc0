#pragma once

#include <cstdint>
#include <string>

#include "storage/base/status.h"

namespace recall {

// The memory that a collection may use: its texts, ids, judgements and positions. The largest
// published ones have 3 GB of text.
inline constexpr uint64_t kMaxCollectionBytes = uint64_t{6} << 30;

// Adds up the memory that a collection uses. A small compressed file may contain any number of
// lines.
class CollectionMemory final {
 public:
  CollectionMemory(const std::string& directory, uint64_t max_bytes)
      : directory_(directory), max_bytes_(max_bytes) {}

  // Counts an entry of `bytes`, with what containers add to it. Errors: LimitExceeded.
  Status Add(uint64_t bytes);

 private:
  std::string directory_;
  uint64_t max_bytes_;
  uint64_t bytes_ = 0;
};

}  // namespace recall
