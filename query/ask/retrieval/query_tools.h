#pragma once

#include <memory>
#include <utility>

#include "index/base/text/tokenizer.h"
#include "index/embed/factory/embedding_space.h"
#include "index/search/ranker/ranker.h"
#include "index/search/snapshot/snapshot.h"
#include "query/types/stage_events.h"

namespace recall {

class SourceChecker;

// The objects that turn the text of a query into terms and a vector, within one snapshot. The
// snapshot, the tokenizer, the rankers and the listener must outlive them. Not thread-safe.
struct QueryDependencies {
  QueryDependencies(const Snapshot& snapshot, std::shared_ptr<EmbeddingSpace> of, Tokenizer* with,
                    const Rankers* configured, const StageListener& listener)
      : embedding(std::move(of)),
        embedder(embedding->NewQueryEmbedder(snapshot.models())),
        tokenizer(with),
        rankers(configured),
        on_stage(&listener) {}

  const VectorGeometry& geometry() const { return embedding->geometry(); }

  std::shared_ptr<EmbeddingSpace> embedding;
  std::unique_ptr<Embedder> embedder;
  Tokenizer* tokenizer;
  const Rankers* rankers;
  const StageListener* on_stage;  // may be empty
  // Looks at the sources of what is shown; null: nothing does. It must outlive the object.
  SourceChecker* sources = nullptr;
};

// Gives the tokenizer of questions the languages of the documents.
inline Status SetSearchedLanguages(const Snapshot& snapshot, Tokenizer& tokenizer) {
  RECALL_ASSIGN(const auto languages, snapshot.texts().ReadSearchedLanguages());
  tokenizer.SetSearchedLanguages(languages);
  return {};
}

}  // namespace recall
