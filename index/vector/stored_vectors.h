#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "index/columns/chunk_columns.h"

namespace recall {

// Vectors as the store holds them, by chunk rowid. Fastest for rows near each other. Valid while
// the columns live; on the transaction's own thread.
class StoredVectors final {
 public:
  explicit StoredVectors(const ChunkColumns& columns);
  ~StoredVectors();
  StoredVectors(const StoredVectors&) = delete;
  StoredVectors& operator=(const StoredVectors&) = delete;

  // A quantised vector, until this is destroyed.
  struct View {
    float scale = 0;
    std::span<const int8_t> values;  // padded_dim
  };
  // Corruption when the chunk has no vector or its segment is damaged.
  Result<View> Find(uint32_t chunk);

 private:
  // As many as a ranking's head needs; who reads more looks at the pages sooner or later.
  static constexpr size_t kMostCopies = 128;

  struct OpenSegment;
  // The vector's components: copied where that is faster.
  const int8_t* ValuesOf(const SectionView& vectors, uint32_t ordinal);

  const ChunkColumns& columns_;
  std::vector<OpenSegment> segments_;  // beside columns_.segments(); opened when first needed
  std::vector<std::unique_ptr<uint8_t[]>> copies_;
};

}  // namespace recall
