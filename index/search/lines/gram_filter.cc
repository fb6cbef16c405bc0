// RE2 derives from an expression which texts, called atoms, a match needs: "a(bcd|efg)hij" needs
// "hij", and "abcd" or "aefg" (https://swtch.com/~rsc/regexp/regexp4.html). An atom is replaced by
// its trigrams, so a text is excluded if it lacks a trigram of each combination.
//
// The trigrams of texts fold A-Z alone, while RE2 folds all letters: its atoms are in lower case.
// So a trigram counts only if it says the same under both foldings: not with bytes beyond ASCII;
// nor, where case is ignored, with k and s, which also match U+212A and U+017F.

#include "index/search/lines/gram_filter.h"

#include <re2/filtered_re2.h>

#include <algorithm>
#include <string>

#include "storage/tables/text_grams.h"

namespace recall {
namespace {

constexpr int kLeastAtom = 3;

bool HasByteBeyondAscii(std::string_view gram) {
  return std::ranges::any_of(gram, [](char c) { return (c & 0x80) != 0; });
}

}  // namespace

GramFilter GramFilter::OfLiteral(std::string_view literal) {
  GramFilter filter;
  filter.atoms_.push_back(GramNumbers(literal, [](std::string_view) { return true; }));
  return filter;
}

GramFilter GramFilter::OfExpression(std::string_view expression, bool may_ignore_case) {
  GramFilter filter;
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_never_nl(true);
  auto combination = std::make_shared<re2::FilteredRE2>(kLeastAtom);
  int id = 0;
  std::vector<std::string> atoms;
  if (combination->Add({expression.data(), expression.size()}, options, &id) != re2::RE2::NoError) {
    return filter;
  }
  combination->Compile(&atoms);
  if (atoms.empty()) return filter;
  for (const std::string& atom : atoms) {
    filter.atoms_.push_back(GramNumbers(atom, [&](std::string_view gram) {
      return !HasByteBeyondAscii(gram) &&
             !(may_ignore_case && gram.find_first_of("ks") != gram.npos);
    }));
  }
  filter.combination_ = std::move(combination);
  return filter;
}

bool GramFilter::IsUseful() const {
  return std::ranges::any_of(atoms_, [](const auto& atom) { return !atom.empty(); });
}

bool GramFilter::MayMatch(ByteSpan grams) const {
  std::vector<int> present;
  for (size_t i = 0; i < atoms_.size(); ++i) {
    if (MayHaveGrams(grams, atoms_[i])) present.push_back(static_cast<int>(i));
  }
  if (combination_ == nullptr) return present.size() == atoms_.size();
  std::vector<int> matching;
  combination_->AllPotentials(present, &matching);
  return !matching.empty();
}

}  // namespace recall
