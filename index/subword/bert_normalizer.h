#pragma once

#include <array>

#include "index/subword/text_normalizer.h"

namespace recall {

struct BertNormalization {
  bool clean_text = true;            // drop control characters; white space becomes a space
  bool handle_chinese_chars = true;  // a space on either side of each
  bool strip_accents = true;
  bool lowercase = true;
};

// What BERT does to text before it cuts it, in the order of the fields above.
class BertNormalizer final : public TextNormalizer {
 public:
  explicit BertNormalizer(const BertNormalization& options);
  void Append(std::string_view text, std::string* out) const override;

 private:
  void AppendCharacter(uint32_t c, std::string* out) const;
  void AppendStripped(uint32_t c, std::string* out) const;

  BertNormalization options_;
  std::array<char, 128> ascii_;  // what each character becomes
  std::array<bool, 128> kept_;
};

}  // namespace recall
