#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/search/snapshot/snapshot.h"
#include "query/ask/ranking/parts_fusion.h"
#include "query/ask/retrieval/retriever_hits.h"

namespace recall {

// The whole ranking by the fusion `parts`.
struct PartsRanking {
  std::vector<ScoredChunk> ranking;    // in the order of ComesBefore
  std::vector<uint32_t> chunks;        // the chunks of `ranking`, ascending
  std::vector<PartEvidence> evidence;  // parallel to `chunks`
  size_t triggered = 0;                // the number of documents whose triggers fit the question
  // The number of chunks that should have a vector and have none; if there are any, words alone
  // rank. Set by the fusion `grouped`.
  int64_t without_vector = 0;

  bool Contains(uint32_t chunk) const { return std::ranges::binary_search(chunks, chunk); }
  // Requires: Contains(chunk).
  const PartEvidence& EvidenceOf(uint32_t chunk) const {
    return evidence[static_cast<size_t>(std::ranges::lower_bound(chunks, chunk) - chunks.begin())];
  }
};

// Scores every chunk that a retriever proposes, and the first chunk of every document within the
// filter whose triggers fit the question. Errors: Corruption, and those of the connection to the
// store.
Result<PartsRanking> RankByParts(const Snapshot& snapshot, const RetrievalPlan& plan,
                                 const RetrieverHits& hits);

}  // namespace recall
