#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "index/embed/factory/embedding_space.h"
#include "index/embed/vector_space/vector_space.h"
#include "index/search/bitmap/bitmap.h"
#include "index/write/training/term_lists.h"
#include "storage/store/store.h"

namespace recall {

// Makes the vectors of the store's live chunks for a space that is not active yet, by ascending
// chunk rowid. A chunk with damaged text gets the zero vector. Not thread-safe.
class SpaceFill final {
 public:
  // `space` must be able to make embedders. Threads embed; the calling thread reads.
  SpaceFill(std::shared_ptr<const EmbeddingSpace> space, uint32_t threads,
            const std::atomic<bool>* cancelled, size_t term_list_entries = kMostTermListEntries)
      : space_(std::move(space)),
        threads_(threads),
        cancelled_(cancelled),
        term_list_entries_(term_list_entries) {}

  // Skips the chunk rowids before this one.
  void StartAt(uint64_t row) { next_row_ = row; }

  // Returns: the vectors of the next `most` live chunks that the transaction sees, or of fewer if
  // no more are left. Errors: Cancelled; those of the embedder. After an error, the next call
  // begins with the same chunks.
  Result<std::vector<ChunkVector>> Next(const ReadTransaction& transaction, size_t most);

  // The number of live chunks of the transaction that have no vector yet.
  Result<int64_t> CountWaiting(const ReadTransaction& transaction) const;

 private:
  struct Chunk;  // the data read of a chunk
  // Reads the term lists of these chunks and the following ones, if that is worthwhile.
  Status ReadTerms(const ReadTransaction& transaction, std::span<const uint32_t> rows);
  Result<std::vector<Chunk>> Read(const ReadTransaction& transaction,
                                  std::span<const uint32_t> rows);
  Status ReadTexts(const ReadTransaction& transaction, std::vector<Chunk>& chunks) const;
  Result<std::vector<uint32_t>> WaitingRows(const ReadTransaction& transaction) const;
  Status Embed(std::vector<Chunk>& chunks, std::vector<ChunkVector>* out);
  Status EmbedTask(std::span<const Chunk> chunks, Embedder& embedder, ChunkVector* out) const;
  std::unique_ptr<Embedder> TakeEmbedder();
  void GiveBack(std::unique_ptr<Embedder> embedder);

  std::shared_ptr<const EmbeddingSpace> space_;
  uint32_t threads_;
  const std::atomic<bool>* cancelled_;
  size_t term_list_entries_;
  uint64_t next_row_ = 0;
  std::optional<TermLists> terms_;
  bool terms_missing_ = false;  // for all chunks from here on
  // The embedders of the threads, kept from task to task: one may be a connection or another
  // process.
  std::mutex mutex_;
  std::vector<std::unique_ptr<Embedder>> embedders_;
};

// The chunk rowids of the documents that the transaction sees.
Result<Bitmap> LiveChunks(const ReadTransaction& transaction);

}  // namespace recall
