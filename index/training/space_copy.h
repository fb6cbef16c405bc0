#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "index/embed/factory/embedding_space.h"
#include "index/vector_space/vector_space.h"
#include "storage/store/store.h"

namespace recall {

// The vectors of the store's live chunks as they are in the space in force, in the lists of another
// one of the same vectors, by ascending chunk rowid: nothing is embedded. Not thread-safe.
class SpaceCopy final {
 public:
  SpaceCopy(std::shared_ptr<const EmbeddingSpace> space, uint32_t threads,
            const std::atomic<bool>* cancelled)
      : space_(std::move(space)), threads_(threads), cancelled_(cancelled) {}

  // Those of the next `most` live chunks that the transaction sees; fewer only when there are no
  // more. Requires: the transaction uses the space in force. Errors: Cancelled; Corruption for a
  // chunk without a vector, or whose vector is damaged.
  Result<std::vector<ChunkVector>> Next(const ReadTransaction& transaction, size_t most);

 private:
  std::shared_ptr<const EmbeddingSpace> space_;
  uint32_t threads_;
  const std::atomic<bool>* cancelled_;
  uint64_t next_row_ = 0;
};

// Vectors of those of the first rows that have one, to learn lists from. Errors: as above, but for
// damage, which leaves a row out.
Result<std::vector<QuantizedVector>> ReadStoredVectors(const ReadTransaction& transaction,
                                                       const VectorSpace& space,
                                                       std::vector<uint32_t> rows);

}  // namespace recall
