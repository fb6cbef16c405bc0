#include "query/retrieval/question_embedding.h"

#include <string>

#include "index/embed/remote/vector_json.h"

namespace recall {

Result<std::vector<float>> ParseQuestionEmbedding(std::string_view json) {
  std::vector<float> vector;
  const Status read = ReadVectorLine(json, &vector);
  if (read.ok() && !vector.empty()) return vector;
  return Fail(Status::InvalidArgument(
      "the question's embedding is not one: " +
          (read.ok() ? std::string("it has no numbers") : std::string(read.message())),
      "give a JSON array of numbers, or @FILE with one"));
}

}  // namespace recall
