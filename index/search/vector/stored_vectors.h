#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "index/search/columns/chunk_columns.h"

namespace recall {

// Reads stored vectors by chunk rowid. Fastest for rowids near each other. Valid while the columns
// live; use it only on the transaction's thread.
class StoredVectors final {
 public:
  explicit StoredVectors(const ChunkColumns& columns);
  ~StoredVectors();
  StoredVectors(const StoredVectors&) = delete;
  StoredVectors& operator=(const StoredVectors&) = delete;

  // A quantised vector; valid until the StoredVectors is destroyed.
  struct View {
    float scale = 0;
    std::span<const int8_t> values;  // padded_dim
  };
  // Returns: the vector of a chunk. Errors: Corruption if the chunk has no vector or its segment is
  // damaged.
  Result<View> Find(uint32_t chunk);
  // Whether a chunk has a vector. It may be damaged.
  bool Contains(uint32_t chunk) const;

 private:
  // Enough for the top of a ranking. A caller that reads more vectors touches most pages anyway.
  static constexpr size_t kMostCopies = 128;

  struct OpenSegment;
  // The segment whose range contains a chunk, or would if it had a vector; the end: the delta.
  std::vector<ColumnSegment>::const_iterator SegmentOf(uint32_t chunk) const;
  const ChunkVector* FindInDelta(uint32_t chunk) const;
  // The vector's components; they are copied if that is faster than touching their page.
  const int8_t* ValuesOf(const SectionView& vectors, uint32_t ordinal);

  const ChunkColumns& columns_;
  std::vector<OpenSegment> segments_;  // parallel to columns_.segments(); opened at the first use
  std::vector<std::unique_ptr<uint8_t[]>> copies_;
};

}  // namespace recall
