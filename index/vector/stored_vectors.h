#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "index/vector/chunk_columns.h"

namespace recall {

// Vectors as the store holds them, by chunk row. Fastest for rows near each other. Valid while the
// columns live; on the transaction's own thread.
class StoredVectors final {
 public:
  explicit StoredVectors(const ChunkColumns& columns);
  ~StoredVectors();
  StoredVectors(const StoredVectors&) = delete;
  StoredVectors& operator=(const StoredVectors&) = delete;

  // A quantised vector in place, until the columns close.
  struct View {
    float scale = 0;
    std::span<const int8_t> values;  // padded_dim
  };
  // Corruption when the chunk has no vector or its segment is damaged.
  Result<View> Find(uint32_t chunk);

 private:
  struct OpenSegment;
  const ChunkColumns& columns_;
  std::vector<OpenSegment> segments_;  // beside columns_.segments(); opened when first needed
};

}  // namespace recall
