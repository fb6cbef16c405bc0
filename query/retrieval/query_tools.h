#pragma once

#include <memory>
#include <utility>

#include "index/embed/factory/embedding_space.h"
#include "index/text/tokenizer.h"
#include "storage/store/store.h"

namespace recall {

// What turns the text of a question into a query, within one transaction.
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
  Connection* models;  // through which the space reads its models
};

}  // namespace recall
