#pragma once

#include <memory>
#include <utility>

#include "index/embed/factory/embedding_space.h"
#include "index/text/tokenizer.h"
#include "storage/store/store.h"

namespace recall {

// The objects that turn the text of a query into terms and a vector, within one transaction. The
// transaction and the tokenizer must outlive them. Not thread-safe.
struct QueryTools {
  QueryTools(const ReadTransaction& transaction, std::shared_ptr<EmbeddingSpace> of,
             Tokenizer* with)
      : embedding(std::move(of)),
        space(&embedding->vectors()),
        embedder(embedding->NewQueryEmbedder(transaction.connection())),
        tokenizer(with),
        models(&transaction.connection()) {}

  std::shared_ptr<EmbeddingSpace> embedding;
  const VectorSpace* space;
  std::unique_ptr<Embedder> embedder;
  Tokenizer* tokenizer;
  Connection* models;  // the connection from which the space reads its model
};

}  // namespace recall
