#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "index/embed/embedder/embedder.h"
#include "index/embed/model2vec/model2vec_model.h"
#include "index/subword/subword_tokenizer.h"

namespace recall {

// Embeds a text as unit( sum of weight * vector over the text's tokens ). The tokens are added in
// the order of the text, in float, so the bits are the same on every CPU. Unknown tokens are left
// out; all others are added, whatever the length of the text. One instance per thread. The model
// must outlive it.
class Model2VecEmbedder final : public Embedder {
 public:
  explicit Model2VecEmbedder(const Model2VecModel& model);

  // {"model2vec", "1-" and the model's fingerprint in hexadecimal, dim}.
  const Identity& identity() const override { return identity_; }
  // Errors: Corruption when a vector is not finite; IoError when the model's file was changed.
  Status Embed(std::span<const std::string_view> texts, std::span<float> out) override;

 private:
  Status EmbedOne(std::string_view text, std::span<float> vector);
  void SumRows(std::span<float> vector);

  const Model2VecModel& model_;
  Identity identity_;
  SubwordEncoder encoder_;
  std::vector<uint32_t> ids_;
  std::vector<uint32_t> rows_;
  std::vector<float> weights_;
};

}  // namespace recall
