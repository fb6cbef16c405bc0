#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

enum class TensorType { kF64, kF32, kF16, kBf16, kI64, kI32, kI8, kOther };

// Bytes of one number; 0 for kOther.
size_t TensorTypeBytes(TensorType type);

struct Tensor {
  TensorType type;
  std::string type_name;  // as written in the file: "F32"
  std::vector<uint64_t> shape;
  ByteSpan bytes;  // of the size of type and shape; little-endian, unaligned
};

// The tensors of a safetensors file, read in place (docs/format/model2vec.md). The bytes must
// outlive it. Immutable: safe to use from several threads.
class Safetensors final {
 public:
  // Errors: Corruption.
  static Result<Safetensors> Parse(ByteSpan file);

  // The tensor of this name; null if there is none.
  const Tensor* Find(const std::string& name) const;

 private:
  std::map<std::string, Tensor> tensors_;
};
// Converts `count` numbers of a tensor, from number `first` on, to floats.
void CopyTensorFloats(const Tensor& tensor, size_t first, size_t count, float* out);

}  // namespace recall
