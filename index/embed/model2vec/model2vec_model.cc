#include "index/embed/model2vec/model2vec_model.h"

#include <cmath>
#include <future>

#include "simd/kernels.h"
#include "storage/base/bytes.h"
#include "storage/base/checksum.h"

namespace recall {
namespace {

constexpr uint64_t kLeastDim = 8;
constexpr uint64_t kMostModelDim = 4096;
// About ten times the largest vocabulary in use; parsing takes several times that memory.
constexpr size_t kMostTokenizerBytes = size_t{256} << 20;

constexpr char kWeightsName[] = "model.safetensors";

Status DamagedModel2Vec(const std::string& what) {
  return Status::Corruption(std::string(kWeightsName) + ": " + what,
                            "download the model's files again");
}

bool IsFloats(const Tensor& tensor) {
  return tensor.type == TensorType::kF64 || tensor.type == TensorType::kF32 ||
         tensor.type == TensorType::kF16 || tensor.type == TensorType::kBf16;
}

Status UnsupportedType(const std::string& name, const Tensor& tensor) {
  return Status::Unsupported(std::string(kWeightsName) + ": \"" + name + "\" is of type " +
                                 tensor.type_name + ", which is not supported",
                             "vectors may be F32, F16, BF16 or I8");
}

Result<SubwordTokenizer> ReadTokenizer(const std::string& path, uint32_t* checksum) {
  RECALL_ASSIGN(const std::unique_ptr<MappedFile> file, MappedFile::Open(path));
  if (file->bytes().size() > kMostTokenizerBytes) {
    return Fail(Status::LimitExceeded(path + " is larger than 256 MiB"));
  }
  *checksum = Crc32c(file->bytes());
  return SubwordTokenizer::Parse(AsText(file->bytes()));
}

}  // namespace

Result<std::unique_ptr<Model2VecModel>> Model2VecModel::Open(const std::string& directory) {
  const std::string hint = "specify a directory with tokenizer.json and model.safetensors";
  auto weights = MappedFile::Open(directory + "/" + kWeightsName);
  // The checksum and the tokenizer take about the same time, so they run in parallel.
  std::future<uint32_t> weights_checksum =
      std::async([&] { return weights ? Crc32c((*weights)->bytes()) : 0; });
  uint32_t tokenizer_checksum = 0;
  Result<SubwordTokenizer> tokenizer =
      ReadTokenizer(directory + "/tokenizer.json", &tokenizer_checksum);
  const uint64_t fingerprint = uint64_t{tokenizer_checksum} << 32 | weights_checksum.get();
  if (!tokenizer) return Fail(tokenizer.error().WithContext(directory).WithHint(hint));
  if (!weights) return Fail(weights.error().WithContext(directory).WithHint(hint));
  std::unique_ptr<Model2VecModel> model(new Model2VecModel(std::move(tokenizer).value()));
  model->weights_file_ = std::move(weights).value();
  model->fingerprint_ = fingerprint;
  RECALL_TRY(model->ReadTensors().WithContext(directory));
  return model;
}

Status Model2VecModel::ReadTensors() {
  RECALL_ASSIGN(const Safetensors tensors, Safetensors::Parse(weights_file_->bytes()));
  RECALL_TRY(ReadVectors(tensors));
  if (const Tensor* mapping = tensors.Find("mapping")) RECALL_TRY(ReadMapping(*mapping));
  if (const Tensor* weights = tensors.Find("weights")) RECALL_TRY(ReadWeights(*weights));
  if (mapping_.empty() && tokenizer_.id_limit() > rows_) {
    return DamagedModel2Vec("it has " + std::to_string(rows_) + " vectors for the " +
                            std::to_string(tokenizer_.id_limit()) + " tokens of tokenizer.json");
  }
  return Status::Ok();
}

Status Model2VecModel::ReadVectors(const Safetensors& tensors) {
  const Tensor* vectors = tensors.Find("embeddings");
  // The name that Sentence Transformers uses.
  if (vectors == nullptr) vectors = tensors.Find("embedding.weight");
  if (vectors == nullptr) return DamagedModel2Vec("it has no tensor \"embeddings\"");
  if (vectors->shape.size() != 2) return DamagedModel2Vec("\"embeddings\" is not a matrix");
  if (!IsFloats(*vectors) && vectors->type != TensorType::kI8) {
    return UnsupportedType("embeddings", *vectors);
  }
  const uint64_t dim = vectors->shape[1];
  if (dim < kLeastDim || dim > kMostModelDim) {
    return Status::Unsupported(std::string(kWeightsName) + ": vectors of " + std::to_string(dim) +
                                   " dimensions are not supported",
                               "choose a model of 8 to 4096 dimensions");
  }
  rows_ = vectors->shape[0];
  if (rows_ > UINT32_MAX) return DamagedModel2Vec("\"embeddings\" has too many rows");
  dim_ = static_cast<uint32_t>(dim);
  vectors_ = *vectors;
  const bool aligned = reinterpret_cast<uintptr_t>(vectors_.bytes.data()) % alignof(float) == 0;
  if (vectors_.type == TensorType::kF32 && aligned) {
    rows_in_place_ = reinterpret_cast<const float*>(vectors_.bytes.data());
  }
  return Status::Ok();
}

Status Model2VecModel::ReadMapping(const Tensor& tensor) {
  if (tensor.type != TensorType::kI32 && tensor.type != TensorType::kI64) {
    return UnsupportedType("mapping", tensor);
  }
  if (tensor.shape.size() != 1 || tensor.shape[0] < tokenizer_.id_limit()) {
    return DamagedModel2Vec("\"mapping\" is too short for the tokens of tokenizer.json");
  }
  mapping_.reserve(tensor.shape[0]);
  for (size_t i = 0; i < tensor.shape[0]; ++i) {
    const int64_t row = tensor.type == TensorType::kI32
                            ? LoadLittle<int32_t>(tensor.bytes.data() + 4 * i)
                            : LoadLittle<int64_t>(tensor.bytes.data() + 8 * i);
    if (row < 0 || static_cast<uint64_t>(row) >= rows_) {
      return DamagedModel2Vec("\"mapping\" refers to a vector that does not exist");
    }
    mapping_.push_back(static_cast<uint32_t>(row));
  }
  return Status::Ok();
}

Status Model2VecModel::ReadWeights(const Tensor& tensor) {
  if (!IsFloats(tensor)) return UnsupportedType("weights", tensor);
  if (tensor.shape.size() != 1 || tensor.shape[0] < tokenizer_.id_limit()) {
    return DamagedModel2Vec("\"weights\" is too short for the tokens of tokenizer.json");
  }
  weights_.resize(tensor.shape[0]);
  CopyTensorFloats(tensor, 0, weights_.size(), weights_.data());
  for (const float weight : weights_) {
    if (!std::isfinite(weight))
      return DamagedModel2Vec("\"weights\" has a value that is not a number");
  }
  return Status::Ok();
}

void Model2VecModel::AddRow(uint32_t row, float weight, float* sum) const {
  const size_t first = size_t{row} * dim_;
  const uint8_t* bytes = vectors_.bytes.data() + first * TensorTypeBytes(vectors_.type);
  switch (vectors_.type) {
    case TensorType::kF16:
      return AddScaledF16(sum, weight, bytes, dim_);
    case TensorType::kBf16:
      return AddScaledBf16(sum, weight, bytes, dim_);
    case TensorType::kI8:
      return AddScaledI8(sum, weight, bytes, dim_);
    default: {
      float copy[kMostModelDim];
      CopyTensorFloats(vectors_, first, dim_, copy);
      return AddScaledF32(sum, weight, copy, dim_);
    }
  }
}

}  // namespace recall
