#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/subword/text_normalizer.h"

namespace recall {

// The "Precompiled" normalizer of Unigram models: a map of short texts to texts that SentencePiece
// made, as a double-array trie and what its values point into.
class CharsmapNormalizer final : public TextNormalizer {
 public:
  // The bytes behind "precompiled_charsmap", decoded. Errors: Corruption.
  static Result<CharsmapNormalizer> Parse(std::string_view bytes);

  // Looks up what a reader sees as one character, if it is short, else each of its code points.
  void Append(std::string_view text, std::string* out) const override;

 private:
  CharsmapNormalizer() = default;

  // What the shortest key that begins `text` maps to.
  std::optional<std::string_view> Find(std::string_view text) const;
  void AppendPart(std::string_view part, std::string* out) const;
  void AppendCluster(std::string_view cluster, std::string* out) const;

  std::vector<uint32_t> units_;
  std::string values_;  // each ends with a NUL
};

}  // namespace recall
