#pragma once

// The normalizers that Unicode defines, and the small ones beside them.

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

// Drops all marks that are characters of their own: for decomposed text.
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

// SentencePiece's clean-up: control characters go, what looks like a space becomes one.
class NmtNormalizer final : public TextNormalizer {
 public:
  void Append(std::string_view text, std::string* out) const override;
};

// A prefix for every text but the empty one.
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
