#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/subword/text_normalizer.h"

namespace recall {

// The "Precompiled" normalizer of Unigram models: SentencePiece's map from short texts to their
// replacements, as a double-array trie and a block of replacement texts.
class CharsmapNormalizer final : public TextNormalizer {
 public:
  // Parses the base64-decoded bytes of "precompiled_charsmap". Errors: Corruption.
  static Result<CharsmapNormalizer> Parse(std::string_view bytes);

  // Replaces each grapheme cluster of up to five bytes that is a key, else each of its code points
  // that is one.
  void Append(std::string_view text, std::string* out) const override;

 private:
  CharsmapNormalizer() = default;

  // The replacement of the shortest key that is a prefix of `text`.
  std::optional<std::string_view> Find(std::string_view text) const;
  void AppendPart(std::string_view part, std::string* out) const;
  void AppendCluster(std::string_view cluster, std::string* out) const;

  std::vector<uint32_t> units_;
  std::string values_;  // each ends with a NUL
};

}  // namespace recall
