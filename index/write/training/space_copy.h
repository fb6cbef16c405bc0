#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "index/embed/factory/embedding_space.h"
#include "index/embed/vector_space/vector_space.h"
#include "storage/store/store.h"

namespace recall {

// Copies the vectors of the store's live chunks, by ascending chunk rowid, from the active space to
// a space with the same vectors and other IVF lists. Embeds nothing. Not thread-safe.
class SpaceCopy final {
 public:
  SpaceCopy(std::shared_ptr<const EmbeddingSpace> space, uint32_t threads,
            const std::atomic<bool>* cancelled)
      : space_(std::move(space)), threads_(threads), cancelled_(cancelled) {}

  // Returns: the vectors of the next `most` live chunks that the transaction sees, or of fewer if
  // no more are left. Requires: the transaction uses the active space. Errors: Cancelled;
  // Corruption for a chunk without a vector or with a damaged one.
  Result<std::vector<ChunkVector>> Next(const ReadTransaction& transaction, size_t most);

 private:
  std::shared_ptr<const EmbeddingSpace> space_;
  uint32_t threads_;
  const std::atomic<bool>* cancelled_;
  uint64_t next_row_ = 0;
};

// Reads the vectors of the chunks `rows` for the training of IVF lists. Chunks with a missing or
// damaged vector are omitted.
Result<std::vector<QuantizedVector>> ReadStoredVectors(const ReadTransaction& transaction,
                                                       const VectorGeometry& space,
                                                       std::vector<uint32_t> rows);

}  // namespace recall
