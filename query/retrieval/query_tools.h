#pragma once

#include <memory>
#include <utility>

#include "index/embed/factory/embedding_space.h"
#include "index/interface/snapshot.h"
#include "index/ranker/ranker.h"
#include "index/text/tokenizer.h"

namespace recall {

// The objects that turn the text of a query into terms and a vector, within one snapshot. The
// snapshot, the tokenizer and the rankers must outlive them. Not thread-safe.
struct QueryTools {
  QueryTools(const Snapshot& snapshot, std::shared_ptr<EmbeddingSpace> of, Tokenizer* with,
             const Rankers* configured)
      : embedding(std::move(of)),
        space(&embedding->vectors()),
        embedder(embedding->NewQueryEmbedder(snapshot.models())),
        tokenizer(with),
        rankers(configured) {}

  std::shared_ptr<EmbeddingSpace> embedding;
  const VectorSpace* space;
  std::unique_ptr<Embedder> embedder;
  Tokenizer* tokenizer;
  const Rankers* rankers;
};

}  // namespace recall
