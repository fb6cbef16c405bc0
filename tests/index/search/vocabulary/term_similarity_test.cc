// The similarity of a term is that of its definition, which the shortcuts must not change.

#include "index/search/vocabulary/term_similarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "index/search/vocabulary/edit_variants.h"

namespace recall {
namespace {

const std::vector<std::string> kMissingWords = {
    "running",   "databse", "клавиатура", "переключатель", "елка",    "δικτυο",
    "ρυθμισεισ", "हिन्दी",   "कंप्यूटर",      "설정하십시오",  "клaвиша", "größe",
    "foobarbaz", "ქართული", "հայերեն",    "עברית"};

// The stems of the words that one typing error makes, each found by analysis.
std::set<std::string> StemsOneEditAway(const std::string& word, Tokenizer& tokenizer) {
  std::set<std::string> stems;
  for (const std::string& variant : OneEditVariants(word)) {
    const std::vector<Tokenizer::Word> words = tokenizer.AnalyzeQuery(variant);
    if (words.size() != 1 || words.front().stems.size() != 1) continue;
    const std::string& stem = words.front().stems.front();
    if (IsExpansionTerm(stem)) stems.insert(stem);
  }
  return stems;
}

std::string OnlyStemOf(const std::string& word, Tokenizer& tokenizer) {
  return tokenizer.AnalyzeQuery(word).front().stems.front();
}

TEST(TermSimilarityTest, StemsOneEditAwayAreThoseOfTheAnalysis) {
  Tokenizer tokenizer;
  for (const std::string& word : kMissingWords) {
    const TermSimilarity similarity(word, OnlyStemOf(word, tokenizer), tokenizer);
    const std::set<std::string> stems(similarity.one_edit().begin(), similarity.one_edit().end());
    const bool is_short = LetterCount(word) < 5;
    EXPECT_EQ(stems, is_short ? std::set<std::string>() : StemsOneEditAway(word, tokenizer))
        << word;
    EXPECT_EQ(stems.empty(), is_short) << word;
    for (const std::string& stem : stems) EXPECT_EQ(similarity.Of(stem), 0.9) << stem;
  }
}

// What term_similarity.h says of two stems that no single edit separates.
std::optional<double> DefinedSimilarity(const std::string& stem, const std::string& term) {
  std::vector<uint64_t> common;
  std::ranges::set_intersection(TermTrigrams(stem), TermTrigrams(term), std::back_inserter(common));
  const size_t letters[] = {LetterCount(stem), LetterCount(term)};
  const size_t shorter = std::min(letters[0], letters[1]);
  const auto sum = static_cast<double>(letters[0] + letters[1]);
  double value = 2 * static_cast<double>(common.size()) / sum;
  if (value < 0.5) value = 0;
  const bool contained =
      letters[1] < letters[0] ? stem.find(term) != stem.npos : term.find(stem) != term.npos;
  if (contained && shorter >= 5 && common.size() + 2 >= shorter) {
    value = std::max(value, 2 * static_cast<double>(shorter) / sum);
  }
  return value > 0 ? std::optional(value) : std::nullopt;
}

TEST(TermSimilarityTest, OtherTermsAreComparedByTheirTrigrams) {
  Tokenizer tokenizer;
  size_t similar = 0;
  for (const std::string& word : kMissingWords) {
    if (LetterCount(word) < 5) continue;
    const std::string stem = OnlyStemOf(word, tokenizer);
    const TermSimilarity similarity(word, stem, tokenizer);
    for (const std::string& other : kMissingWords) {
      for (size_t cut = 1; cut < word.size(); ++cut) {
        if ((word[cut] & 0xC0) == 0x80) continue;
        for (const std::string& term : {word.substr(cut), word.substr(0, cut) + other,
                                        other + word.substr(cut), word + word.substr(0, cut)}) {
          if (similarity.one_edit().contains(term)) continue;
          const auto value = similarity.Of(term);
          ASSERT_EQ(value, DefinedSimilarity(stem, term)) << word << " " << term;
          similar += value.has_value();
        }
      }
    }
  }
  EXPECT_GT(similar, 100u);
}

}  // namespace
}  // namespace recall
