#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "index/embed/vector_space/vector_space.h"
#include "index/search/columns/column_segment.h"
#include "storage/base/coding.h"
#include "storage/store/store.h"

namespace recall {

// The columns of a transaction with one item for each chunk: token counts, vectors, sign codes, of
// all segments and of the delta. Valid while the transaction and the space live. Opening scans
// nothing but the delta. Open and VectorSearch::Prepare belong to the transaction's thread; cursors
// may run on any thread.
class ChunkColumns final {
 public:
  static Result<std::unique_ptr<ChunkColumns>> Open(const ReadTransaction& transaction,
                                                    const VectorGeometry& space);
  ~ChunkColumns();

  // Opens the token counts, which a search by vectors does not read. Must have succeeded before a
  // LengthCursor is used. On the transaction's thread.
  Status OpenLengths() const;

  // Reads the number of lexical tokens of a chunk, at most 65535; 0 if the chunk has no record.
  // Fastest for ascending rowids. One cursor per thread.
  class LengthCursor final {
   public:
    explicit LengthCursor(const ChunkColumns& columns);
    uint32_t LexicalTokens(uint32_t chunk) {
      if (chunk - page_chunk_ < page_chunks_) {
        return LoadLittle<uint16_t>(page_ + size_t{chunk - page_chunk_} * kTokenCountBytes);
      }
      return Find(chunk);
    }

   private:
    uint32_t Find(uint32_t chunk);

    const ChunkColumns* columns_;
    size_t segment_ = 0;
    uint32_t ordinal_ = 0;
    // The page of the last result, if its segment is dense: the counts of page_chunks_ chunks from
    // page_chunk_ on.
    const uint8_t* page_ = nullptr;
    uint32_t page_chunk_ = 0;
    uint32_t page_chunks_ = 0;
  };

  const std::vector<ColumnSegment>& segments() const { return segments_; }
  const std::vector<ChunkVector>& delta() const { return delta_; }
  const VectorGeometry& space() const { return *space_; }

 private:
  ChunkColumns();
  uint32_t DeltaTokens(uint32_t chunk) const;

  std::vector<ColumnSegment> segments_;
  mutable std::vector<const SectionView*> token_counts_;  // of each segment, once opened
  std::vector<ChunkVector> delta_;
  const VectorGeometry* space_ = nullptr;
};

// Reads the whole delta, by ascending chunk rowid.
Result<std::vector<ChunkVector>> ReadDelta(const ReadTransaction& transaction,
                                           const VectorGeometry& space);

}  // namespace recall
