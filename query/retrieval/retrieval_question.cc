// The vector that a question is asked with.

#include "query/retrieval/retrieval.h"

namespace recall {

Result<std::vector<float>> Retrieval::QuestionVector() {
  if (!request_.ranking.embedding.empty()) return request_.ranking.embedding;
  std::vector<float> vector(tools_.space->dim());
  if (tools_.embedding->is_user_supplied()) {
    warnings_.push_back(
        "this store is given its vectors: a question without one is answered by its words");
    return vector;
  }
  const std::string_view texts[] = {request_.semantic_text ? *request_.semantic_text
                                                           : request_.text};
  RECALL_TRY(tools_.embedder->Embed(texts, vector));
  return vector;
}

// A vector of the user's fits a space of such vectors alone.
Status Retrieval::CheckEmbedding() const {
  const size_t components = request_.ranking.embedding.size();
  const EmbeddingSpace& space = *tools_.embedding;
  if (components > 0 && request_.mode == SearchMode::kLexical) {
    return Status::InvalidArgument(
        "only words rank here, so the question's embedding would not count",
        "leave it out, or rank by meaning too");
  }
  if (components > 0 && !space.is_user_supplied()) {
    return Status::InvalidArgument(
        "the question has an embedding, but the store's embedder is " + space.row().embedder,
        "leave it out: the store embeds questions itself");
  }
  if (components > 0 && components != space.vectors().dim()) {
    return Status::InvalidArgument("the question's embedding has " + std::to_string(components) +
                                       " components, the store's vectors have " +
                                       std::to_string(space.vectors().dim()),
                                   "embed questions and documents with the same model");
  }
  if (components == 0 && space.is_user_supplied() && !UsesLexical()) {
    return Status::InvalidArgument(
        "the store is given its vectors, and the question has none to compare them with",
        "say --embedding, or search by words too");
  }
  return Status::Ok();
}

}  // namespace recall
