#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "index/base/text/card_field.h"
#include "storage/base/result.h"

namespace recall {

// How much an occurrence of a word counts, by where in a chunk it stands: in a field of the card of
// a note, or in other text. The count of a word in a chunk is the sum of these weights (simple
// BM25F, docs/RETRIEVAL.md, "Field weights").
struct FieldWeights {
  std::array<double, kCardFields> card = {1, 1, 1, 1, 1};  // by CardField
  double body = 1;                                         // everything else

  double of(CardField field) const { return card[static_cast<size_t>(field)]; }
  // Whether every occurrence counts once.
  bool AllOne() const { return *this == FieldWeights(); }
  bool operator==(const FieldWeights&) const = default;
};

inline constexpr double kLeastFieldWeight = 0.01;
inline constexpr double kMostFieldWeight = 100;

// "trigger", "title", "tags", "topic", "summary", by CardField, and last "body".
inline constexpr size_t kTextFields = kCardFields + 1;
inline constexpr std::array<std::string_view, kTextFields> kTextFieldNames = {
    "trigger", "title", "tags", "topic", "summary", "body"};

// Parses "trigger=5:title=4:body=1". A field that is not named has the weight 1; "" is all 1.
// Errors: InvalidArgument for a field that is unknown or named twice, and for a weight that is not
// a number from kLeastFieldWeight to kMostFieldWeight.
Result<FieldWeights> ParseFieldWeights(std::string_view text);

}  // namespace recall
