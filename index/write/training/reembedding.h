#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "index/embed/embedder/embedder_source.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

struct SharedModel;

struct ReembeddingOptions {
  std::string embedder;  // "lsa", "hash", or one of the provider's
  uint32_t threads = 1;
  bool again = false;  // embed again even if the embedder's vectors are active
  // For "lsa": adopt this model instead of training one.
  const SharedModel* model = nullptr;
  // The number of vectors written by a transaction; an interruption loses at most these.
  size_t fill_vectors = 4096;
};

struct ReembeddingReport {
  SpaceRow space;        // active now
  int64_t chunks = 0;    // chunks that got a vector by this call
  int64_t resumed = 0;   // chunks that got one by an earlier, unfinished call
  bool already = false;  // the embedder's vectors were active already
};

// Receives the number of vectors embedded so far, and of all chunks.
using ReembeddingProgressFn = std::function<void(int64_t done, int64_t chunks)>;

// Gives all chunks of a store vectors of another embedder, which becomes the store's embedder.
//
// The vectors are written in transactions of their own, into a space that no search uses, while
// other processes read and write. The commit that writes the last ones activates it. Older
// snapshots keep their space. An interruption loses the vectors of one transaction: the next call
// for the same embedder resumes there; a call for another one deletes the unfinished space. Memory
// is bounded by the vectors of one transaction.
//
// Errors: NotFound for an unknown embedder; Cancelled; Busy if another process does the same; those
// of the embedder and of reading texts.
Result<ReembeddingReport> Reembed(Store& store, const EmbedderProvider* provider,
                                  const std::atomic<bool>& cancelled,
                                  const ReembeddingOptions& options,
                                  const ReembeddingProgressFn& progress = {});

// Gives all live chunks vectors of the embedder and the model that the store has, in a new space
// that replaces the active one: for a store in which vectors are missing. Older snapshots keep
// their space, as it is. Otherwise as Reembed.
//
// Errors: those of Reembed; InvalidArgument for user-supplied vectors, which cannot be computed.
Result<ReembeddingReport> RefillSpace(Store& store, const EmbedderProvider* provider,
                                      const std::atomic<bool>& cancelled, uint32_t threads);

}  // namespace recall
