// Whether a word of the store may be searched for instead of a word that it does not contain.
//
// Problem. TermSimilarity compares stems, and finds much that nobody would accept: "redis" becomes
// "relis" by one typing error, whose stem is that of "rely"; "zebra" has half of the trigrams of
// "cerebra".
//
// Idea. The words themselves are compared, not their stems. People rarely mistype the first letter
// (Pollock and Zamora, "Automatic spelling correction in scientific and scholarly text", 1984), and
// a short word has few errors, or else it is another word.
//
// Invariant. Words of different scripts never replace each other: no rule admits them.
//
// Cost. The product of both lengths.

#include "index/search/vocabulary/replacement.h"

#include <algorithm>
#include <string>

#include "index/base/text/utf8.h"
#include "storage/base/alignment_distance.h"

namespace recall {
namespace {

constexpr size_t kLeastBeginning = 5;
constexpr size_t kLongestEnding = 3;
constexpr size_t kLongBeginning = 8;
constexpr size_t kInflection = 4;
constexpr size_t kCompound = 5;
constexpr size_t kLeastPart = 5;       // letters of a part of a compound
constexpr size_t kLeastRemainder = 3;  // and of the rest
constexpr size_t kMostEnding = 2;
constexpr size_t kMostLetters = 64;

std::u32string LettersOf(std::string_view word) {
  std::u32string letters;
  for (size_t at = 0; at < word.size();) letters += DecodeUtf8(word, &at);
  return letters;
}

size_t MostTypingErrors(size_t letters) {
  if (letters <= 5) return 1;
  return letters <= 9 ? 2 : 3;
}

bool BeginAlike(const std::u32string& a, const std::u32string& b) {
  if (a.empty() || b.empty()) return false;
  return a[0] == b[0] || (a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0]);
}

bool IsCompoundOf(const std::u32string& longer, std::u32string shorter) {
  if (shorter.size() < kLeastPart || longer.size() < shorter.size() + kLeastRemainder) return false;
  if (longer.starts_with(shorter)) return true;
  size_t at = longer.rfind(shorter);
  if (at == longer.npos && shorter.size() > kLeastPart) {
    shorter.pop_back();
    at = longer.rfind(shorter);
  }
  return at != longer.npos && at >= kLeastRemainder &&
         longer.size() - at - shorter.size() <= kMostEnding;
}

}  // namespace

std::optional<size_t> ReplacementDistance(std::string_view word, std::string_view other) {
  const std::u32string a = LettersOf(word);
  const std::u32string b = LettersOf(other);
  const size_t longer = std::max(a.size(), b.size());
  if (longer > kMostLetters) return std::nullopt;
  if (BeginAlike(a, b)) {
    const size_t distance = AlignmentDistance<char32_t>(a, b);
    if (distance <= MostTypingErrors(a.size())) return distance;
  }
  const auto common = static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  if (common >= kLeastBeginning && 3 * common >= 2 * longer) return kInflection;
  const size_t shorter = std::min(a.size(), b.size());
  if (common > kLeastBeginning && shorter - common <= kLongestEnding) return kInflection;
  if (common >= kLongBeginning) return kCompound;
  const bool compound = a.size() < b.size() ? IsCompoundOf(b, a) : IsCompoundOf(a, b);
  return compound ? std::optional(kCompound) : std::nullopt;
}

}  // namespace recall
