#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "index/embed/factory/embedding_space.h"
#include "index/vector_space/vector_space.h"
#include "storage/store/store.h"

namespace recall {

// The vectors of the store's live chunks in the active space, assigned to the IVF lists of another
// space of the same vectors, by ascending chunk rowid. Nothing is embedded. Not thread-safe.
class SpaceCopy final {
 public:
  SpaceCopy(std::shared_ptr<const EmbeddingSpace> space, uint32_t threads,
            const std::atomic<bool>* cancelled)
      : space_(std::move(space)), threads_(threads), cancelled_(cancelled) {}

  // The vectors of the next `most` live chunks that the transaction sees; fewer only if there are
  // no more. Requires: the transaction uses the active space. Errors: Cancelled; Corruption for a
  // chunk without a vector or with a damaged one.
  Result<std::vector<ChunkVector>> Next(const ReadTransaction& transaction, size_t most);

 private:
  std::shared_ptr<const EmbeddingSpace> space_;
  uint32_t threads_;
  const std::atomic<bool>* cancelled_;
  uint64_t next_row_ = 0;
};

// The vectors of those `rows` that have one, for the training of IVF lists. Errors: as above, but a
// row with a missing or damaged vector is omitted.
Result<std::vector<QuantizedVector>> ReadStoredVectors(const ReadTransaction& transaction,
                                                       const VectorSpace& space,
                                                       std::vector<uint32_t> rows);

}  // namespace recall
