#pragma once

#include <array>

#include "index/subword/text_normalizer.h"

namespace recall {

struct BertNormalization {
  bool clean_text = true;            // drop control characters; white space becomes a space
  bool handle_chinese_chars = true;  // put spaces around each Chinese character
  bool strip_accents = true;
  bool lowercase = true;
};

// BERT's normalisation of text, in the order of the fields above.
class BertNormalizer final : public TextNormalizer {
 public:
  explicit BertNormalizer(const BertNormalization& options);
  void Append(std::string_view text, std::string* out) const override;

 private:
  void AppendCharacter(uint32_t c, std::string* out) const;
  void AppendStripped(uint32_t c, std::string* out) const;

  BertNormalization options_;
  std::array<char, 128> ascii_;  // the replacement of each character
  std::array<bool, 128> kept_;
};

}  // namespace recall
