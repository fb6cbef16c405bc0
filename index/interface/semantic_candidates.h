#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "index/interface/retriever_hit.h"
#include "storage/base/result.h"

namespace recall {

struct SemanticSearchOptions {
  size_t most = 0;     // hits, at most
  bool exact = false;  // score every vector that passes the filter, use no shortlist
  size_t threads = 1;  // the hits are the same for any number
};

struct SemanticHits {
  std::vector<RetrieverHit> hits;  // the best, by chunk rowid
  uint64_t scanned = 0;            // vectors that were examined, if only by their sign codes
  uint64_t reranked = 0;           // vectors whose full components were scored
  bool exact = true;               // no sign code excluded a vector: these are the best hits
};

// Quantised vectors of chunks, beside the chunks that were asked for.
struct ChunkComponents {
  struct View {
    float scale = 0;
    std::span<const int8_t> values;  // padded_dim of the space
  };
  std::vector<View> views;
  std::shared_ptr<const void> owner;  // the views are valid as long as it
};

// The vectors that are nearest to one query vector, within one filter.
class SemanticCandidates {
 public:
  virtual ~SemanticCandidates() = default;

  // The best hits, at most SemanticSearchOptions::most. May run on another thread than the one that
  // made the object, at the same time as other work on the snapshot; once at a time. The query
  // vector and the bitmaps of the filter must exist until it returns.
  // Errors: Corruption, and those of the connection to the store.
  virtual Result<SemanticHits> Search() const = 0;

  // The score that Search gives, or would give, each chunk, whether it passes the filter or not; 0
  // for chunks without a vector. Requires: chunks ascending; the thread of the snapshot.
  virtual Result<std::vector<float>> Score(std::span<const uint32_t> chunks) const = 0;

  // Requires: chunks ascending; the thread of the snapshot. Errors: Corruption when a chunk has no
  // vector. The views are valid while the snapshot's indexes exist.
  virtual Result<ChunkComponents> Components(std::span<const uint32_t> chunks) const = 0;
};

}  // namespace recall
