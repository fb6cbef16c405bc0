#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"

namespace recall {

// What the words of English mean, as far as it is needed to compare them: for each Porter stem its
// concepts and its nearest relatives, made of WordNet when the program is built
// (cmake/lexicon/make_lexicon.cc). Read in place. Immutable: safe to use from several threads.
class Lexicon final {
 public:
  struct Concept {
    uint32_t number = 0;  // less than concepts()
    float weight = 0;     // in (0, 1]; the squares of those of a stem add up to 1 at most
  };
  struct Relative {
    uint32_t stem = 0;
    double similarity = 0;  // from .5 to 1
  };

  // The lexicon that is in the program.
  static const Lexicon& Builtin();
  // Opens bytes of lexicon_format.h; nothing if they are none. They must outlive the lexicon.
  static std::optional<Lexicon> Open(ByteSpan bytes);

  // Depends on every stem, word, concept and relative, and not on how they are stored.
  uint64_t hash() const { return hash_; }
  // hash() as 16 hexadecimal digits.
  std::string name() const;
  uint32_t stems() const { return stems_; }
  uint32_t concepts() const { return concept_count_; }

  // The number of a stem, as the index has it; nothing if the lexicon does not know it.
  std::optional<uint32_t> Find(std::string_view stem) const;
  std::string stem(uint32_t number) const;
  // The shortest word with this stem.
  std::string word(uint32_t number) const;
  // By number, ascending.
  std::vector<Concept> ConceptsOf(uint32_t stem) const;
  // The stems that mean most nearly the same, the nearest first, at most 24.
  std::vector<Relative> RelativesOf(uint32_t stem) const;
  // The stems that share concepts with this one, and the cosine of their weights as `similarity`,
  // the greatest first; of equals, by number. Cost: reads the concepts of all stems, 1.1 MB.
  std::vector<Relative> SharingConcepts(uint32_t stem) const;

 private:
  Lexicon() = default;
  struct Spelling;

  // A field of lexicon_format::Block.
  uint32_t BlockStart(size_t block, size_t field) const {
    return LoadLittle<uint32_t>(blocks_ + 12 * block + field);
  }
  Spelling Spell(uint32_t number) const;
  std::string FirstOf(uint32_t block) const;

  uint64_t hash_ = 0;
  uint32_t stems_ = 0;
  uint32_t concept_count_ = 0;
  const uint8_t* blocks_ = nullptr;
  const uint8_t* texts_ = nullptr;
  const uint8_t* concepts_ = nullptr;
  const uint8_t* relatives_ = nullptr;
  std::array<uint8_t, 4> similarities_ = {};
};

}  // namespace recall
