// Lexical search in which words that mean nearly the same count, compared with its definition.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "index/search/lexical/lexical_index.h"
#include "tests/index/search/lexical/lexical_corpus.h"

namespace recall {
namespace {

// Gives plain words up to a dozen related ones, some of which no chunk has.
void RelateAtRandom(std::mt19937_64& random, LexicalQuery* query) {
  const std::vector<std::string> stems = {"red",       "appl",   "run",    "foo",    "bar",
                                          "technolog", "server", "http",   "green",  "pear",
                                          "utf8",      "none",   "absent", "missing"};
  for (LexicalClause& clause : query->clauses) {
    if (!clause.relatable) continue;
    std::vector<std::string> others = stems;
    std::ranges::shuffle(others, random);
    others.resize(random() % others.size());
    for (const std::string& stem : others) {
      if (stem == clause.any_of.front().tokens.front()) continue;
      clause.related.push_back({stem, stem, 0.5 + static_cast<double>(random() % 128) / 255});
    }
  }
}

FieldWeights SomeWeights(std::mt19937_64& random) {
  FieldWeights weights;
  if (random() % 2) return weights;
  weights.card[random() % kCardFields] = 3;
  weights.body = random() % 2 ? 1 : 0.5;
  return weights;
}

void CompareRelated(const Corpus& corpus, const LexicalQuery& query, const Bitmap& allowed) {
  const auto expected = ScoreByDefinition(corpus, query);
  ASSERT_OK_AND_ASSIGN(const LexicalScores all, corpus.Search(query));
  ExpectSame(all, expected, nullptr);
  ASSERT_OK_AND_ASSIGN(const LexicalScores some, corpus.Search(query, &allowed));
  ExpectSame(some, expected, &allowed);
  for (const RetrieverHit& hit : all.Top(5)) {
    double sum = 0;
    for (const double part : all.ScoreByField(hit.chunk)) sum += part;
    EXPECT_NEAR(sum, hit.score, 1e-12 * hit.score);
  }
  for (size_t i = 0; i < query.clauses.size(); ++i) {
    std::vector<std::string> words, counted;
    for (const RelatedWord& word : RelatedThatCount(query.clauses[i], corpus)) {
      words.push_back(word.word);
    }
    for (const RelatedTerm& term : all.terms()[i].related) counted.push_back(term.word);
    EXPECT_EQ(counted, words);
  }
}

TEST(RelatedWordsTest, EqualTheDefinitionOnRandomCorpora) {
  std::mt19937_64 random(TestSeed(1));
  for (int round = 0; round < 15; ++round) {
    Corpus corpus;
    std::vector<std::string> texts(1 + random() % 60);
    for (std::string& text : texts) text = RandomWords(random, 20);
    corpus.Add(texts);
    if (random() % 2) corpus.Remove(random() % texts.size());
    Bitmap allowed;
    for (const Corpus::Chunk& chunk : corpus.chunks()) {
      if (random() % 2) allowed.Add(chunk.row);
    }
    for (int i = 0; i < 40; ++i) {
      const std::string text = RandomQuery(random);
      SCOPED_TRACE(text);
      LexicalQuery query = ParseLexicalQuery(text, corpus.tokenizer());
      RelateAtRandom(random, &query);
      query.field_weights = SomeWeights(random);
      CompareRelated(corpus, query, allowed);
    }
  }
}

TEST(RelatedWordsTest, EqualTheDefinitionAcrossBlocksAndLists) {
  std::mt19937_64 random(TestSeed(2));
  Corpus corpus;
  for (const size_t most_words : {8, 30, 4}) {
    std::vector<std::string> texts(700);
    for (std::string& text : texts) text = RandomWords(random, most_words);
    corpus.Add(texts);
    if (most_words == 8) {
      EXPECT_GT(corpus.MakeReady(4), 0);
    }
  }
  for (size_t i = 0; i < corpus.chunks().size(); i += 37) corpus.Remove(i);
  Bitmap allowed;
  for (const Corpus::Chunk& chunk : corpus.chunks()) {
    if (random() % 3 == 0) allowed.Add(chunk.row);
  }
  for (const char* text : {"red", "pear utf8", "green red -apple", "+server http", "technology"}) {
    SCOPED_TRACE(text);
    LexicalQuery query = ParseLexicalQuery(text, corpus.tokenizer());
    RelateAtRandom(random, &query);
    CompareRelated(corpus, query, allowed);
  }
}

// 2,001 chunks with "red", one with "apple".
TEST(RelatedWordsTest, AWordInMoreThanTwoThousandLiveChunksHasNoneAndIsNone) {
  const auto related_of = [](const Corpus& corpus, std::string_view asked, std::string_view other) {
    LexicalQuery query;
    query.clauses.emplace_back().any_of.push_back({{std::string(asked)}, false});
    query.clauses.back().related.push_back({std::string(other), std::string(other), 1});
    const auto scores = corpus.Search(query);
    EXPECT_TRUE(scores.has_value());
    return scores ? scores->terms()[0].related.size() : 0;
  };
  Corpus corpus;
  std::vector<std::string> texts(2001, "red");
  texts.emplace_back("apple");
  corpus.Add(texts);
  for (const bool listed : {false, true}) {
    SCOPED_TRACE(listed);
    if (listed) {
      EXPECT_GT(corpus.MakeReady(4), 0);
    }
    EXPECT_EQ(related_of(corpus, "red", "appl"), 0);
    EXPECT_EQ(related_of(corpus, "appl", "red"), 0);
  }
  corpus.Remove(17);
  EXPECT_EQ(related_of(corpus, "red", "appl"), 1);
  EXPECT_EQ(related_of(corpus, "appl", "red"), 1);
}

}  // namespace
}  // namespace recall
