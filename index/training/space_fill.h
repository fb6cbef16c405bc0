#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "index/embed/factory/embedding_space.h"
#include "index/training/term_lists.h"
#include "index/vector_space/vector_space.h"
#include "storage/store/store.h"

namespace recall {

// Vectors of the store's live chunks in a space that is not in force yet, by ascending chunk rowid.
// A chunk whose text is damaged gets a vector that says nothing. Not thread-safe.
class SpaceFill final {
 public:
  // `space` must be able to make embedders. Threads compute, the caller's reads.
  SpaceFill(std::shared_ptr<const EmbeddingSpace> space, uint32_t threads,
            const std::atomic<bool>* cancelled, size_t term_list_entries = kMostTermListEntries)
      : space_(std::move(space)),
        threads_(threads),
        cancelled_(cancelled),
        term_list_entries_(term_list_entries) {}

  // Passes over the chunk rowids before this one.
  void StartAt(uint64_t row) { next_row_ = row; }

  // Those of the next `most` live chunks that the transaction sees; fewer only when there are no
  // more. Errors: Cancelled; those of the embedder; an error leaves the next chunks where they
  // were.
  Result<std::vector<ChunkVector>> Next(const ReadTransaction& transaction, size_t most);

  // How many live chunks that the transaction sees are still to come.
  Result<int64_t> CountWaiting(const ReadTransaction& transaction) const;

 private:
  struct Chunk;  // what is read of one
  // Looks up the terms of these chunks and those after them, where that is of use.
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
  bool terms_missing_ = false;  // of all chunks from here on
  // Of the threads, kept from task to task: one may be a connection or another program.
  std::mutex mutex_;
  std::vector<std::unique_ptr<Embedder>> embedders_;
};

// Chunk rowids of the documents that the transaction sees.
Result<Bitmap> LiveChunks(const ReadTransaction& transaction);

}  // namespace recall
