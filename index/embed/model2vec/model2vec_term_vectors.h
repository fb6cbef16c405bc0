#pragma once

#include <vector>

#include "index/embed/embedder/term_vectors.h"
#include "index/embed/model2vec/model2vec_model.h"
#include "index/subword/subword_tokenizer.h"

namespace recall {

// The vectors of a static model's tokens. The weight of a token is the length of its vector, which
// is its influence on the vector of a text. The model must outlive it.
class Model2VecTermVectors final : public TermVectors {
 public:
  explicit Model2VecTermVectors(const Model2VecModel& model)
      : model_(model), encoder_(model.tokenizer()) {}

  uint32_t dim() const override { return model_.dim(); }
  // Errors: IoError when the model's file was changed.
  Status Find(std::string_view text, std::span<const std::string> stems,
              std::vector<uint32_t>* terms) override;
  // Errors: Corruption when a vector is not finite.
  Status Read(std::span<const uint32_t> terms, std::span<float> out) override;
  Result<double> Weight(uint32_t term) override;
  std::string_view Name(uint32_t) const override { return {}; }

 private:
  // Computes the weighted vector and returns its length.
  Result<float> Sum(uint32_t term, std::span<float> vector) const;

  const Model2VecModel& model_;
  SubwordEncoder encoder_;
};

}  // namespace recall
