#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "index/search/snapshot/retriever_hit.h"
#include "storage/base/result.h"

namespace recall {

struct SemanticSearchOptions {
  size_t most = 0;     // maximum number of hits
  bool exact = false;  // score every vector that passes the filter, without a shortlist
  size_t threads = 1;  // the hits are the same for any number of threads
};

struct SemanticHits {
  std::vector<RetrieverHit> hits;  // the best hits, sorted by chunk rowid
  uint64_t scanned = 0;            // number of vectors examined, in full or by their sign codes
  uint64_t reranked = 0;           // number of vectors scored in full
  bool exact = true;               // no vector was excluded by its sign code
};

// Quantised vectors of chunks, in the order in which the chunks were requested.
struct ChunkComponents {
  struct View {
    float scale = 0;
    std::span<const int8_t> values;  // padded_dim components
  };
  std::vector<View> views;
  std::shared_ptr<const void> owner;  // must outlive the views
};

// Finds the vectors nearest to one query vector among the chunks that pass one filter.
class SemanticCandidates {
 public:
  virtual ~SemanticCandidates() = default;

  // Returns: the best hits, at most SemanticSearchOptions::most. May be called on another thread
  // than that of the snapshot, which may be used meanwhile; not by two threads at once. The query
  // vector and the bitmaps of the filter must exist until it returns. Errors: Corruption, and those
  // of the connection to the store.
  virtual Result<SemanticHits> Search() const = 0;

  // Returns: the cosines of these chunks, as Search computes them, whether or not the chunks pass
  // the filter; 0 for a chunk without a vector. Requires: chunks ascend; the thread of the
  // snapshot.
  virtual Result<std::vector<float>> Score(std::span<const uint32_t> chunks) const = 0;

  // Returns: the quantised vectors of these chunks. The snapshot's indexes must outlive the views.
  // Requires: chunks ascend; the thread of the snapshot. Errors: Corruption if a chunk has no
  // vector.
  virtual Result<ChunkComponents> Components(std::span<const uint32_t> chunks) const = 0;

  // Returns: how many of these chunks have no vector. Requires: chunks ascend.
  virtual int64_t CountWithoutVector(std::span<const uint32_t> chunks) const = 0;
};

}  // namespace recall
