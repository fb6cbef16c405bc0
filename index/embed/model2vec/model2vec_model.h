#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "index/embed/model2vec/safetensors.h"
#include "index/subword/subword_tokenizer.h"
#include "storage/base/result.h"
#include "storage/file_io/mapped_file.h"

namespace recall {

// A directory that Model2Vec wrote: tokenizer.json, and model.safetensors with a vector for each
// token. The vectors are read in place. docs/format/model2vec.md describes the parts that are read.
// Immutable: safe to use from several threads.
class Model2VecModel final {
 public:
  // Errors: NotFound, IoError; Corruption for files that are damaged or inconsistent with each
  // other; Unsupported for parts that this program does not know; LimitExceeded.
  static Result<std::unique_ptr<Model2VecModel>> Open(const std::string& directory);

  uint32_t dim() const { return dim_; }  // 8 .. 4096
  const SubwordTokenizer& tokenizer() const { return tokenizer_; }
  // Depends on every byte of both files.
  uint64_t fingerprint() const { return fingerprint_; }

  // The row of the vector of token `id` < tokenizer().id_limit(), and its factor.
  uint32_t row_of(uint32_t id) const { return mapping_.empty() ? id : mapping_[id]; }
  float weight_of(uint32_t id) const { return weights_.empty() ? 1.0f : weights_[id]; }
  // All rows, dim() floats each, in the mapped file; null if they must be converted or copied.
  const float* rows_in_place() const { return rows_in_place_; }
  // Adds weight * row[j] to sum[j] for j < dim(). Requires: `row` is the row of a token.
  void AddRow(uint32_t row, float weight, float* sum) const;
  // IoError if model.safetensors was changed since Open.
  Status CheckUnchanged() const { return weights_file_->CheckUnchanged(); }

 private:
  explicit Model2VecModel(SubwordTokenizer tokenizer) : tokenizer_(std::move(tokenizer)) {}
  Status ReadTensors();
  Status ReadVectors(const Safetensors& tensors);
  Status ReadMapping(const Tensor& tensor);
  Status ReadWeights(const Tensor& tensor);

  SubwordTokenizer tokenizer_;
  std::unique_ptr<MappedFile> weights_file_;
  Tensor vectors_;
  const float* rows_in_place_ = nullptr;
  std::vector<uint32_t> mapping_;  // empty: the rows are those of the tokens
  std::vector<float> weights_;     // empty: all 1
  uint64_t rows_ = 0;
  uint32_t dim_ = 0;
  uint64_t fingerprint_ = 0;
};

}  // namespace recall
