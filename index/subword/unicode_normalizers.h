#pragma once

// The normalisation forms of Unicode, and small related normalizers.

#include "index/subword/text_normalizer.h"

namespace recall {

// Appends the lower case of one character, without regard to its neighbours.
void AppendLowercase(uint32_t c, std::string* out);

enum class UnicodeForm { kNfc, kNfd, kNfkc, kNfkd };

class FormNormalizer final : public TextNormalizer {
 public:
  explicit FormNormalizer(UnicodeForm form) : form_(form) {}
  void Append(std::string_view text, std::string* out) const override;

 private:
  void AppendForm(std::string_view text, std::string* out) const;

  UnicodeForm form_;
};

class LowercaseNormalizer final : public TextNormalizer {
 public:
  void Append(std::string_view text, std::string* out) const override;
};

// Drops all combining marks; for decomposed text.
class StripAccentsNormalizer final : public TextNormalizer {
 public:
  void Append(std::string_view text, std::string* out) const override;
};

// Drops white space at the ends.
class StripNormalizer final : public TextNormalizer {
 public:
  StripNormalizer(bool left, bool right) : left_(left), right_(right) {}
  void Append(std::string_view text, std::string* out) const override;

 private:
  bool left_;
  bool right_;
};

// SentencePiece's clean-up: control characters are dropped, and characters that look like a space
// become one.
class NmtNormalizer final : public TextNormalizer {
 public:
  void Append(std::string_view text, std::string* out) const override;
};

// Adds a prefix to every text but the empty one.
class PrependNormalizer final : public TextNormalizer {
 public:
  explicit PrependNormalizer(std::string prefix) : prefix_(std::move(prefix)) {}
  void Append(std::string_view text, std::string* out) const override {
    if (!text.empty()) out->append(prefix_).append(text);
  }

 private:
  std::string prefix_;
};

}  // namespace recall
