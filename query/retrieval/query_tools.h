#pragma once

#include <memory>
#include <utility>

#include "index/embed/factory/embedding_space.h"
#include "index/interface/snapshot.h"
#include "index/text/tokenizer.h"

namespace recall {

// The objects that turn the text of a query into terms and a vector, within one snapshot. The
// snapshot and the tokenizer must outlive them. Not thread-safe.
struct QueryTools {
  QueryTools(const Snapshot& snapshot, std::shared_ptr<EmbeddingSpace> of, Tokenizer* with)
      : embedding(std::move(of)),
        space(&embedding->vectors()),
        embedder(embedding->NewQueryEmbedder(snapshot.models())),
        tokenizer(with) {}

  std::shared_ptr<EmbeddingSpace> embedding;
  const VectorSpace* space;
  std::unique_ptr<Embedder> embedder;
  Tokenizer* tokenizer;
};

}  // namespace recall
