#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "index/embed/embedding_space.h"
#include "index/filter/bitmap.h"
#include "index/vector/vector_space.h"
#include "storage/store.h"

namespace recall {

// Vectors of the store's live chunks in a space that is not in force yet, by ascending chunk row.
// A chunk whose text is damaged gets a vector that says nothing.
class SpaceFill final {
 public:
  // `space` must be able to make embedders. Threads compute, the caller's reads.
  SpaceFill(std::shared_ptr<const EmbeddingSpace> space, uint32_t threads,
            const std::atomic<bool>* cancelled)
      : space_(std::move(space)), threads_(threads), cancelled_(cancelled) {}

  // Those of the next `most` live chunks that the transaction sees; fewer only when there are no
  // more. Errors: Cancelled.
  Result<std::vector<ChunkVector>> Next(const ReadTransaction& transaction, size_t most);

 private:
  struct Chunk;  // what is read of one
  Result<std::vector<Chunk>> Read(const ReadTransaction& transaction,
                                  std::span<const uint32_t> rows);
  Status Embed(std::vector<Chunk>& chunks, std::vector<ChunkVector>* out) const;

  std::shared_ptr<const EmbeddingSpace> space_;
  uint32_t threads_;
  const std::atomic<bool>* cancelled_;
  uint64_t next_row_ = 0;
};

// Chunk rows of the documents that the transaction sees.
Result<Bitmap> LiveChunks(const ReadTransaction& transaction);

}  // namespace recall
