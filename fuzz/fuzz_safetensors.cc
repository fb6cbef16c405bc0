// Safetensors: an untrusted file is rejected, or every tensor of a known type lies inside the file
// and has as many numbers as its shape says.
// Input: the file.

#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "index/embed/model2vec/safetensors.h"

namespace recall {

void FuzzOne(ByteSpan input) {
  const Result<Safetensors> file = Safetensors::Parse(input);
  if (!file) {
    RECALL_CHECK(file.error().code() == StatusCode::kCorruption);
    return;
  }
  for (const char* name : {"embeddings", "weights", "mapping", "a", "b"}) {
    const Tensor* tensor = file->Find(name);
    if (tensor == nullptr || tensor->type == TensorType::kOther) continue;
    const size_t width = TensorTypeBytes(tensor->type);
    uint64_t count = 1;
    for (const uint64_t extent : tensor->shape) count *= extent;
    RECALL_CHECK(tensor->bytes.size() == count * width);
    RECALL_CHECK(tensor->bytes.empty() ||
                 (tensor->bytes.data() >= input.data() &&
                  tensor->bytes.data() + tensor->bytes.size() <= input.data() + input.size()));
    if (tensor->type == TensorType::kI64 || tensor->type == TensorType::kI32) continue;
    std::vector<float> values(count);
    CopyTensorFloats(*tensor, 0, count, values.data());
  }
}

}  // namespace recall
