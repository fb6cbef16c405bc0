#include "query/ask/retrieval/question_embedding.h"

#include <string>

#include "index/embed/remote/vector_json.h"

namespace recall {

Result<std::vector<float>> ParseQuestionEmbedding(std::string_view json) {
  std::vector<float> vector;
  const Status read = ReadVectorLine(json, &vector);
  if (read.ok() && !vector.empty()) return vector;
  return Fail(Status::InvalidArgument(
      "invalid query embedding: " +
          (read.ok() ? std::string("it is empty") : std::string(read.message())),
      "specify a JSON array of numbers, or @FILE"));
}

}  // namespace recall
