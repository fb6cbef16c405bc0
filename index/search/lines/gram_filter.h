#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"

namespace re2 {
class FilteredRE2;
}

namespace recall {

// Whether a text can have a match of a pattern, by the trigrams of the text
// (storage/tables/text_grams.h). Immutable; thread-safe.
class GramFilter final {
 public:
  // Of texts that contain `literal`.
  static GramFilter OfLiteral(std::string_view literal);
  // Of texts with a match of a regular expression. Requires: RE2 accepts it. `may_ignore_case`:
  // whether some of it is matched without regard to case.
  static GramFilter OfExpression(std::string_view expression, bool may_ignore_case);

  // Whether it can exclude any text.
  bool IsUseful() const;
  // False only if no text with these bits has a match.
  bool MayMatch(ByteSpan grams) const;

 private:
  GramFilter() = default;

  // The trigrams of each text that the expression needs in some combination; of a literal, one.
  std::vector<std::vector<uint32_t>> atoms_;
  std::shared_ptr<const re2::FilteredRE2> combination_;  // null: all of atoms_
};

}  // namespace recall
