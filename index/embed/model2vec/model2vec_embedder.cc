#include "index/embed/model2vec/model2vec_embedder.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "simd/kernels.h"
#include "storage/base/check.h"

namespace recall {
namespace {

// Model2Vec (Tulkens and van Dongen, 2024) distils a sentence transformer into a table of static
// token vectors: the transformer embeds each token of its vocabulary once, the vectors are reduced
// by PCA and weighted. Embedding a text then needs no neural network:
//
//   text -> subword tokens -> rows of the table -> weighted sum -> unit length
//   "unhappy dog" -> un ##happy dog -> 2 x 3 rows ...
//
// mapping[token] selects the row of a token and weights[token] its factor; a model without these
// tensors has row = token and factor 1. Tokens that are not in the vocabulary are left out of the
// sum. The text is not truncated, because no network limits its length.
//
// The rows are read from the memory-mapped safetensors file. Aligned F32 rows are summed in place;
// F16, BF16, I8 and unaligned rows are converted while they are added.
//
// Invariants: tokens are added in the order of the text, in float, so the bits are the same on
// every CPU. If a sum is not finite the model is damaged, and Embed fails. The mapped file is
// checked for changes before each batch, because a truncated file would raise SIGBUS.
//
// Cost: dominated by tokenising; about one row of `dim` multiply-adds per token.

// The version of the algorithm. It must change whenever the same files would give a text another
// vector.
constexpr char kModel2VecVersion[] = "1";

std::string VersionOf(const Model2VecModel& model) {
  char hex[17];
  std::snprintf(hex, sizeof(hex), "%016llx", static_cast<unsigned long long>(model.fingerprint()));
  return std::string(kModel2VecVersion) + "-" + hex;
}

}  // namespace

Model2VecEmbedder::Model2VecEmbedder(const Model2VecModel& model)
    : model_(model),
      identity_{"model2vec", VersionOf(model), model.dim()},
      encoder_(model.tokenizer()) {}

Status Model2VecEmbedder::Embed(std::span<const std::string_view> texts, std::span<float> out) {
  const size_t dim = identity_.dim;
  RECALL_CHECK(out.size() == texts.size() * dim);
  RECALL_TRY(model_.CheckUnchanged());
  for (size_t i = 0; i < texts.size(); ++i) {
    RECALL_TRY(EmbedOne(texts[i], out.subspan(i * dim, dim)));
  }
  return Status::Ok();
}

Status Model2VecEmbedder::EmbedOne(std::string_view text, std::span<float> vector) {
  encoder_.Encode(text, &ids_);
  if (const auto unknown = model_.tokenizer().unknown_id()) std::erase(ids_, *unknown);
  rows_.clear();
  weights_.clear();
  for (const uint32_t id : ids_) {
    rows_.push_back(model_.row_of(id));
    weights_.push_back(model_.weight_of(id));
  }
  SumRows(vector);
  const float length = std::sqrt(DotF32(vector.data(), vector.data(), vector.size()));
  if (!std::isfinite(length)) {
    return Status::Corruption("model.safetensors: a vector of the model is not finite",
                              "download the model's files again");
  }
  if (length == 0) {
    std::fill(vector.begin(), vector.end(), 0.0f);
    return Status::Ok();
  }
  for (float& component : vector) component /= length;
  return Status::Ok();
}

void Model2VecEmbedder::SumRows(std::span<float> vector) {
  const size_t dim = vector.size();
  if (const float* rows = model_.rows_in_place()) {
    SumScaledRowsF32(weights_.data(), rows_.data(), rows_.size(), rows, dim, dim, vector.data());
    return;
  }
  std::fill(vector.begin(), vector.end(), 0.0f);
  for (size_t i = 0; i < rows_.size(); ++i) {
    model_.AddRow(rows_[i], weights_[i], vector.data());
  }
}

}  // namespace recall
