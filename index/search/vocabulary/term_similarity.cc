#include "index/search/vocabulary/term_similarity.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "index/base/text/fold.h"
#include "index/base/text/stop_words.h"
#include "index/base/text/token_limits.h"
#include "index/base/text/utf8.h"
#include "index/search/vocabulary/edit_variants.h"

namespace recall {
namespace {

// How similar a term of the vocabulary is to a word that no chunk contains.
//
// Problem: the word is misspelt, inflected in another way, or part of a compound, and the index
// contains stems. "runnign" has no stem at all, while its neighbour "running" is "run".
//
// Idea: three kinds of evidence. Typing errors are undone in the word itself, and the results are
// stemmed; so the stem is found however little of the word it keeps. Shared trigrams find other
// inflections, and errors of several letters. Containment finds parts of compounds, and compounds
// of a part, which share too few trigrams. All are symmetric enough to be compared with each other.
//
// Invariant: UpperBound, which sees only lengths and counts, is never below Of; both use the same
// formulas.
//
// Cost: some hundred stems once for each word, or more than a thousand in scripts with two
// alphabets in a block; words of these are their own stems, which needs no analysis. Most terms of
// a vocabulary share too few trigrams, which a filter of bits tells without sorting them; of the
// others, one sorted intersection each. Source:
// Angell, Freund and Willett, "Automatic spelling correction using a trigram similarity measure",
// 1983.

constexpr size_t kLeastWordLetters = 5;
constexpr size_t kLeastLetters = 3;
constexpr size_t kLeastContained = 5;
constexpr double kOneEdit = 0.9;
constexpr double kLeastDice = 0.5;

// Calls visit(trigram) for each trigram of a term between two marks, in order, with repetitions.
template <typename Visit>
void ForEachTrigram(std::string_view term, const Visit& visit) {
  constexpr int kBits = 21;
  constexpr uint64_t kMask = (uint64_t{1} << 3 * kBits) - 1;
  constexpr uint64_t kMark = '<';
  uint64_t last = kMark;
  size_t characters = 1;
  const auto add = [&](uint64_t character) {
    last = (last << kBits | character) & kMask;
    if (++characters >= 3) visit(last);
  };
  for (size_t at = 0; at < term.size();) add(DecodeUtf8(term, &at));
  add(kMark);
}

// Tells words that are their own only stem, without analysis.
class OwnStems final {
 public:
  // Whether a word has letters beyond ASCII alone, of scripts with spaces, all of them lower case
  // or all without case, and is not changed by folding. False for some words that are their own
  // stem, too.
  bool Has(std::string_view word) {
    if (word.size() > kMaxTokenBytes) return false;
    letters_.clear();
    folded_.clear();
    for (size_t at = 0; at < word.size();) {
      const uint32_t c = DecodeUtf8(word, &at);
      if (c < 0x80 || KindBeforeFolding(c) != CharacterKind::kWord || IsMark(c)) return false;
      if (letters_.empty()) case_ = CaseOf(c);
      if (CaseOf(c) != case_) return false;
      letters_.push_back(c);
    }
    if (case_ != LetterCase::kLower && case_ != LetterCase::kNone) return false;
    FoldAppend(letters_, &folded_);
    return !letters_.empty() && folded_ == letters_;
  }

 private:
  std::u32string letters_;
  std::u32string folded_;
  LetterCase case_ = LetterCase::kNone;
};

}  // namespace

size_t LetterCount(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

bool IsExpansionTerm(std::string_view term) {
  // Most terms that are none have a digit.
  if (std::ranges::any_of(term, [](char byte) { return byte >= '0' && byte <= '9'; })) return false;
  size_t letters = 0;
  for (size_t at = 0; at < term.size(); ++letters) {
    const uint32_t character = DecodeUtf8(term, &at);
    if (KindAfterFolding(character) != CharacterKind::kWord) return false;
    if (CaseOf(character) == LetterCase::kDigit) return false;
  }
  return letters >= kLeastLetters && !IsStopStem(term);
}

std::vector<uint64_t> TermTrigrams(std::string_view term) {
  std::vector<uint64_t> trigrams;
  FindTermTrigrams(term, &trigrams);
  return trigrams;
}

void FindTermTrigrams(std::string_view term, std::vector<uint64_t>* trigrams) {
  trigrams->clear();
  ForEachTrigram(term, [&](uint64_t trigram) { trigrams->push_back(trigram); });
  std::ranges::sort(*trigrams);
  trigrams->erase(std::unique(trigrams->begin(), trigrams->end()), trigrams->end());
}

namespace {

size_t FilterBitOf(uint64_t trigram, size_t bits) {
  return static_cast<size_t>(trigram * 0x9E3779B97F4A7C15 >> 40) & (bits - 1);
}

}  // namespace

TermSimilarity::TermSimilarity(std::string_view word, std::string_view stem, Tokenizer& tokenizer)
    : stem_(stem), letters_(LetterCount(stem)) {
  if (LetterCount(word) < kLeastWordLetters) return;
  trigrams_ = TermTrigrams(stem);
  for (const uint64_t trigram : trigrams_) {
    const size_t bit = FilterBitOf(trigram, kFilterBits);
    filter_[bit / 64] |= uint64_t{1} << bit % 64;
  }
  OwnStems own_stems;
  for (std::string& variant : OneEditVariants(word)) {
    if (own_stems.Has(variant)) {
      if (IsExpansionTerm(variant)) one_edit_.insert(std::move(variant));
      continue;
    }
    std::vector<Tokenizer::Word> words = tokenizer.AnalyzeQuery(variant);
    if (words.size() != 1 || words.front().stems.size() != 1) continue;
    std::string& made = words.front().stems.front();
    if (IsExpansionTerm(made)) one_edit_.insert(std::move(made));
  }
  shortest_ = std::numeric_limits<size_t>::max();
  for (const std::string& term : one_edit_) {
    shortest_ = std::min(shortest_, term.size());
    longest_ = std::max(longest_, term.size());
  }
}

bool TermSimilarity::IsOneEdit(std::string_view term) const {
  return term.size() >= shortest_ && term.size() <= longest_ && one_edit_.contains(term);
}

// At least the number of different trigrams that a term has in common with the stem.
size_t TermSimilarity::MostCommonTrigrams(std::string_view term) const {
  size_t common = 0;
  ForEachTrigram(term, [&](uint64_t trigram) {
    const size_t bit = FilterBitOf(trigram, kFilterBits);
    common += filter_[bit / 64] >> bit % 64 & 1;
  });
  return common;
}

double TermSimilarity::Dice(size_t letters, size_t common) const {
  const double dice = 2 * static_cast<double>(common) / static_cast<double>(letters_ + letters);
  return dice >= kLeastDice ? dice : 0;
}

// The similarity if one stem is part of the other. All its trigrams but the first and the last are
// common then, unless it has one of them twice; such stems do not count.
double TermSimilarity::Containment(size_t letters, size_t common) const {
  const size_t shorter = std::min(letters_, letters);
  if (shorter < kLeastContained || common + 2 < shorter) return 0;
  return 2 * static_cast<double>(shorter) / static_cast<double>(letters_ + letters);
}

double TermSimilarity::UpperBound(size_t letters, size_t common) const {
  return std::max(Dice(letters, common), Containment(letters, common));
}

std::optional<double> TermSimilarity::Of(std::string_view term) const {
  if (trigrams_.empty()) return std::nullopt;
  if (IsOneEdit(term)) return kOneEdit;
  const size_t letters = LetterCount(term);
  if (UpperBound(letters, MostCommonTrigrams(term)) == 0) return std::nullopt;
  std::vector<uint64_t> common;
  std::ranges::set_intersection(trigrams_, TermTrigrams(term), std::back_inserter(common));
  const bool contained = letters < letters_ ? stem_.find(term) != std::string::npos
                                            : term.find(stem_) != std::string_view::npos;
  const double similarity =
      std::max(Dice(letters, common.size()), contained ? Containment(letters, common.size()) : 0);
  return similarity > 0 ? std::optional(similarity) : std::nullopt;
}

}  // namespace recall
