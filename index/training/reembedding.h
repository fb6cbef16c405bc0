#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "index/embed/interface/embedder_source.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

struct ReembeddingOptions {
  std::string embedder;  // "lsa", "hash", or one that the provider has
  uint32_t threads = 1;
  bool again = false;  // also when its vectors are in force already
  // How many vectors a transaction writes: what an interruption costs.
  size_t fill_vectors = 4096;
};

struct ReembeddingReport {
  SpaceRow space;        // in force now
  int64_t chunks = 0;    // that got a vector by this call
  int64_t resumed = 0;   // that an earlier call, which did not finish, had given one
  bool already = false;  // nothing was to be done
};

// Vectors embedded, in all chunks, so far.
using ReembeddingProgressFn = std::function<void(int64_t done, int64_t chunks)>;

// Gives all chunks of a store vectors of another embedder, which the store has from then on.
//
// They are written in transactions of their own, into a space that no search sees, while others
// read and write; the commit that writes the last ones puts it in force. Snapshots of before keep
// their space. Whoever is interrupted loses one transaction's vectors: the next call for the same
// embedder goes on from there, and one for another drops what is unfinished. Memory is bounded by
// the vectors of one transaction.
//
// Errors: NotFound for an embedder that there is not; Cancelled; Busy when another process does the
// same; those of the embedder and of reading texts.
Result<ReembeddingReport> Reembed(Store& store, const EmbedderProvider* provider,
                                  const std::atomic<bool>& cancelled,
                                  const ReembeddingOptions& options,
                                  const ReembeddingProgressFn& progress = {});

}  // namespace recall
