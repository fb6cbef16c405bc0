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

// What the second stage needs of its candidates beside what the legs know of them.
struct HeadEvidence {
  std::vector<RerankItem> items;  // in the order of the head
  // What no text can reach in grams. None: the store has not learnt how common they are, or the
  // question has no words; then no item has a gram score.
  std::optional<double> gram_ceiling;
  std::unique_ptr<StoredVectors> vectors;  // that of the items
};

// Reads vectors and, where grams say something about `wanted`, texts. The vectors are valid while
// `columns` live and the result does. Corruption when a candidate's text or vector, or the model,
// is damaged. With two threads texts are scored while the next ones are read.
Result<HeadEvidence> ReadHeadEvidence(const ReadTransaction& transaction,
                                      const ChunkColumns& columns, std::string_view wanted,
                                      std::span<const FusedCandidate> head, size_t threads);

}  // namespace recall
