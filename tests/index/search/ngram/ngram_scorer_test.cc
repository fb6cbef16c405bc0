#include "index/search/ngram/ngram_scorer.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace recall {
namespace {

using Ngrams = std::vector<uint32_t>;

Ngrams ScoredNgrams(std::string_view text) {
  NgramScanner scanner;
  Ngrams ngrams;
  scanner.Append(text, &ngrams);
  return ngrams;
}

NgramStatistics StatisticsOf(const std::vector<std::string>& texts) {
  NgramCounter counter(static_cast<uint32_t>(texts.size()));
  for (const std::string& text : texts) {
    Ngrams ngrams = ScoredNgrams(text);
    counter.Add(ngrams);
  }
  return counter.Finish();
}

// BM25 over n-grams by its formula, word by word.
double Bm25(std::string_view query, std::string_view text, const NgramStatistics& statistics) {
  std::map<uint32_t, int> asked;
  std::map<uint32_t, int> held;
  for (const uint32_t ngram : ScoredNgrams(query)) ++asked[ngram];
  const Ngrams ngrams = ScoredNgrams(text);
  for (const uint32_t ngram : ngrams) ++held[ngram];
  double score = 0;
  for (const auto& [ngram, count] : asked) {
    const double tf = held[ngram];
    const double length = static_cast<double>(ngrams.size());
    score += count * statistics.Idf(ngram) * tf * 2.2 /
             (tf + 1.2 * (.25 + .75 * length / statistics.average_length()));
  }
  return score;
}

TEST(NgramScorerTest, IsBm25OverNgrams) {
  const char* const words[] = {"boundary", "layers", "flow",   "heating", "plates",
                               "Größe",    "日本語", "fooBar", "the",     "supersonic"};
  std::mt19937_64 random(5);
  const auto make = [&](size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i)
      text += std::string(words[random() % std::size(words)]) + ' ';
    return text;
  };
  std::vector<std::string> texts;
  for (int i = 0; i < 50; ++i) texts.push_back(make(random() % 60));
  const NgramStatistics statistics = StatisticsOf(texts);
  for (int round = 0; round < 20; ++round) {
    const std::string query = make(1 + random() % 8);
    NgramScorer scorer(query, statistics);
    for (const std::string& text : texts) {
      const double score = scorer.Score("", text);
      EXPECT_NEAR(score, Bm25(query, text, statistics), 1e-9) << query << " | " << text;
      EXPECT_LE(score, scorer.score_upper_bound());
    }
  }
}

TEST(NgramScorerTest, FindsWhatWordsDoNot) {
  const std::vector<std::string> texts = {"the retrieval of documents", "cooking with gas",
                                          "a ship on the danube", "indexes and indices"};
  NgramScorer scorer("retreival index", StatisticsOf(texts));
  EXPECT_GT(scorer.Score("", texts[0]), 0);
  EXPECT_GT(scorer.Score("", texts[3]), 0);
  EXPECT_EQ(scorer.Score("", texts[1]), 0);
}

TEST(NgramScorerTest, HeadingsCount) {
  const NgramStatistics statistics = StatisticsOf({"installation", "usage"});
  NgramScorer scorer("install", statistics);
  EXPECT_GT(scorer.Score("Installation", "run the program"), 0);
  EXPECT_EQ(scorer.Score("", "run the program"), 0);
}

TEST(NgramScorerTest, WithoutWordsNothingScores) {
  NgramScorer scorer("the of ...", StatisticsOf({"the of"}));
  EXPECT_TRUE(scorer.Empty());
  EXPECT_EQ(scorer.Score("", "the of"), 0);
}

}  // namespace
}  // namespace recall
