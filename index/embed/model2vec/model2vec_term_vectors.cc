#include "index/embed/model2vec/model2vec_term_vectors.h"

#include <algorithm>
#include <cmath>

#include "simd/kernels.h"
#include "storage/base/check.h"

namespace recall {

Status Model2VecTermVectors::Find(std::string_view text, std::span<const std::string>,
                                  std::vector<uint32_t>* terms) {
  RECALL_TRY(model_.CheckUnchanged());
  encoder_.Encode(text, terms);
  if (const auto unknown = model_.tokenizer().unknown_id()) std::erase(*terms, *unknown);
  return Status::Ok();
}

Result<float> Model2VecTermVectors::Sum(uint32_t term, std::span<float> vector) const {
  std::ranges::fill(vector, 0.0f);
  model_.AddRow(model_.row_of(term), model_.weight_of(term), vector.data());
  const float length = std::sqrt(DotF32(vector.data(), vector.data(), vector.size()));
  if (std::isfinite(length)) return length;
  return Fail(Status::Corruption("model.safetensors: a vector of the model is not finite",
                                 "download the model's files again"));
}

Status Model2VecTermVectors::Read(std::span<const uint32_t> terms, std::span<float> out) {
  RECALL_CHECK(out.size() == terms.size() * dim());
  for (size_t i = 0; i < terms.size(); ++i) {
    const std::span<float> vector = out.subspan(i * dim(), dim());
    RECALL_ASSIGN(const float length, Sum(terms[i], vector));
    if (!(length > 0)) continue;
    for (float& component : vector) component /= length;
  }
  return Status::Ok();
}

Result<double> Model2VecTermVectors::Weight(uint32_t term) {
  std::vector<float> vector(dim());
  RECALL_ASSIGN(const float length, Sum(term, vector));
  return length;
}

}  // namespace recall
