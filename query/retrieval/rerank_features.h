#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "index/columns/chunk_columns.h"
#include "index/vector/stored_vectors.h"
#include "query/ranking/rerank.h"
#include "storage/store/store.h"

namespace recall {

// What the second stage needs of its candidates beside what the retrievers know of them.
struct RerankFeatures {
  std::vector<RerankItem> items;  // in the order of the head
  // What no text can reach in n-grams. None: the store has not learnt how common they are, or the
  // question has no words; then no item has a n-gram score.
  std::optional<double> ngram_upper_bound;
  std::unique_ptr<StoredVectors> vectors;  // that of the items
};

// Reads vectors and, where n-grams say something about `wanted`, texts. The vectors are valid while
// `columns` live and the result does. Corruption when a candidate's text or vector, or the model,
// is damaged. With two threads texts are scored while the next ones are read.
Result<RerankFeatures> ReadRerankFeatures(const ReadTransaction& transaction,
                                          const ChunkColumns& columns, std::string_view wanted,
                                          std::span<const FusedCandidate> head, size_t threads);

}  // namespace recall
