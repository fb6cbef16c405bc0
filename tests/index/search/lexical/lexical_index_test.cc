#include "index/search/lexical/lexical_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/index/search/lexical/lexical_corpus.h"

namespace recall {
namespace {

using Occur = LexicalClause::Occur;

TEST(SearchLexical, EqualsTheDefinitionOnRandomCorpora) {
  std::mt19937_64 random(TestSeed(1));
  size_t matched = 0;
  for (int round = 0; round < 15; ++round) {
    Corpus corpus;
    std::vector<std::string> texts(1 + random() % 60);
    for (std::string& text : texts) text = RandomWords(random, 20);
    corpus.Add(texts);
    for (size_t i = random() % 4; i > 0; --i) {
      const size_t index = random() % texts.size();
      if (!corpus.removed().Contains(corpus.chunks()[index].row)) corpus.Remove(index);
    }
    Bitmap allowed;
    for (const Corpus::Chunk& chunk : corpus.chunks()) {
      if (random() % 2) allowed.Add(chunk.row);
    }
    for (int i = 0; i < 40; ++i) {
      const std::string text = RandomQuery(random);
      SCOPED_TRACE(text);
      const LexicalQuery query = ParseLexicalQuery(text, corpus.tokenizer());
      const auto expected = ScoreByDefinition(corpus, query);
      matched += expected.size();
      ASSERT_OK_AND_ASSIGN(const LexicalScores all, corpus.Search(query));
      ExpectSame(all, expected, nullptr);
      ASSERT_OK_AND_ASSIGN(const LexicalScores some, corpus.Search(query, &allowed));
      ExpectSame(some, expected, &allowed);
      EXPECT_EQ(some.score_upper_bound(),
                all.score_upper_bound());  // a filter does not change the scale of scores
      ExpectCounts(corpus, query, nullptr);
      ExpectCounts(corpus, query, &allowed);
    }
  }
  EXPECT_GT(matched, 1000u);
}

// Rows in many blocks, in segments and in the delta. Precomputed posting lists cover some or all
// chunks, and the average length grows and shrinks afterwards.
TEST(SearchLexical, EqualsTheDefinitionAcrossBlocksAndSegments) {
  std::mt19937_64 random(TestSeed(2));
  Corpus corpus;
  const auto add = [&](size_t count, size_t most_words) {
    std::vector<std::string> texts(count);
    for (std::string& text : texts) text = RandomWords(random, most_words);
    corpus.Add(texts);
  };
  const auto compare = [&] {
    Bitmap allowed;
    for (const Corpus::Chunk& chunk : corpus.chunks()) {
      if (random() % 5 == 0 || chunk.row / 500 % 3 == 0) allowed.Add(chunk.row);
    }
    RecentPostings recent;  // neighbouring queries have words in common
    for (const char* text :
         {"red", "pear", "red fooBar -green", "+apple server*", "\"red apple\"", "日本語 utf8 utf8",
          "+red +running -\"red red\"", "red apple running foobar bar", "-red pear utf8"}) {
      SCOPED_TRACE(text);
      const LexicalQuery query = ParseLexicalQuery(text, corpus.tokenizer());
      const auto expected = ScoreByDefinition(corpus, query);
      ASSERT_OK_AND_ASSIGN(const LexicalScores scores, corpus.Search(query));
      ExpectSame(scores, expected, nullptr);
      ASSERT_OK_AND_ASSIGN(const LexicalScores again, corpus.Search(query, &recent));
      ExpectSame(again, expected, nullptr);
      ASSERT_OK_AND_ASSIGN(const LexicalScores some, corpus.Search(query, &allowed));
      ExpectSame(some, expected, &allowed);
      ExpectCounts(corpus, query, &allowed);
    }
  };
  add(2000, 6);
  EXPECT_GT(corpus.MakeReady(4), 3);
  compare();
  for (size_t i = 0; i < 20; ++i) corpus.Remove(i * 100 + 7);
  compare();
  EXPECT_GT(corpus.MakeReady(4), 3);
  compare();
  add(300, 60);  // longer
  compare();
  EXPECT_GT(corpus.MakeReady(2000), 15);
  compare();
  add(700, 1);  // shorter
  corpus.Remove(2100);
  compare();
  // Large gaps in the rowids, as after many replacements.
  for (int i = 0; i < 3; ++i) {
    corpus.LeaveOut(300'000'000);
    add(100, 10);
  }
  compare();
}

TEST(SearchLexical, FindsIdentifiersWholeAndInParts) {
  Corpus corpus;
  corpus.Add({"call fooBar here", "foo_bar = 1", "class FooBar", "foobar in prose", "only foo",
              "a bar, no more", "nothing"});
  for (const char* query : {"foobar", "+fooBar", "+foo_bar", "+FooBar", "\"fooBar\""}) {
    std::vector<size_t> found = corpus.Find(query);
    std::ranges::sort(found);
    EXPECT_EQ(found, std::vector<size_t>({0, 1, 2, 3})) << query;
  }
  std::vector<size_t> parts = corpus.Find("foo");
  std::ranges::sort(parts);
  EXPECT_EQ(parts, std::vector<size_t>({0, 1, 2, 4}));
  const std::vector<size_t> ranked = corpus.Find("fooBar");
  EXPECT_EQ(ranked.size(), 6u);  // parts match more chunks, but the whole word ranks first
  EXPECT_LT(std::ranges::find(ranked, 0u), std::ranges::find(ranked, 4u));
  EXPECT_LT(std::ranges::find(ranked, 3u), std::ranges::find(ranked, 5u));
}

TEST(SearchLexical, OperatorsBindTheAnswer) {
  Corpus corpus;
  corpus.Add({"red apple pie", "green apple", "red pear", "apple red", "apples"});
  const auto sorted = [&](const char* query) {
    std::vector<size_t> found = corpus.Find(query);
    std::ranges::sort(found);
    return found;
  };
  EXPECT_EQ(sorted("red apple"), std::vector<size_t>({0, 1, 2, 3, 4}));
  EXPECT_EQ(sorted("+red apple"), std::vector<size_t>({0, 2, 3}));
  EXPECT_EQ(sorted("apple -red"), std::vector<size_t>({1, 4}));
  EXPECT_EQ(sorted("\"red apple\""), std::vector<size_t>({0}));
  EXPECT_EQ(sorted("+red +pear"), std::vector<size_t>({2}));
  EXPECT_EQ(sorted("+red +nowhere"), std::vector<size_t>());
  EXPECT_EQ(sorted("pe*"), std::vector<size_t>({2}));
  EXPECT_EQ(sorted("-red"), std::vector<size_t>());
  EXPECT_EQ(sorted("nowhere"), std::vector<size_t>());
  EXPECT_EQ(sorted(""), std::vector<size_t>());
}

TEST(SearchLexical, OperatorsAreSetsForTheOtherRetriever) {
  Corpus corpus;
  corpus.Add({"red apple", "green apple", "plain words"});
  const auto admitted = [&](const char* query) {
    const LexicalScores scores = corpus.Search(query).value();
    std::vector<bool> admits;
    const std::optional<Bitmap> required = scores.Required();
    const Bitmap excluded = scores.Excluded();
    for (const Corpus::Chunk& chunk : corpus.chunks()) {
      const bool holds = !required || required->Contains(chunk.row);
      admits.push_back(holds && !excluded.Contains(chunk.row));
    }
    return admits;
  };
  EXPECT_EQ(admitted("apple"), std::vector<bool>({true, true, true}));
  EXPECT_EQ(admitted("+apple"), std::vector<bool>({true, true, false}));
  EXPECT_EQ(admitted("apple -red"), std::vector<bool>({false, true, true}));
  EXPECT_EQ(admitted("-red"), std::vector<bool>({false, true, true}));
  EXPECT_EQ(admitted("+apple -red"), std::vector<bool>({false, true, false}));
  EXPECT_EQ(admitted("+nowhere"), std::vector<bool>({false, false, false}));
}

TEST(SearchLexical, ExplainsEachClause) {
  Corpus corpus;
  corpus.Add({"red apple", "green apple", "apple pie", "red wine"});
  corpus.Remove(1);
  ASSERT_OK_AND_ASSIGN(const LexicalScores scores, corpus.Search("+Apples -wine nowhere apple"));
  ASSERT_EQ(scores.terms().size(), 4u);
  EXPECT_EQ(scores.terms()[0].text, "apples");
  EXPECT_EQ(scores.terms()[0].matches, 2u);  // the removed chunk does not count
  EXPECT_EQ(scores.terms()[0].occur, Occur::kMust);
  EXPECT_NEAR(scores.terms()[0].idf, std::log(1 + 1.5 / 2.5), 1e-15);
  EXPECT_EQ(scores.terms()[1].occur, Occur::kMustNot);
  EXPECT_EQ(scores.terms()[1].idf, 0);
  EXPECT_EQ(scores.terms()[2].matches, 0u);
  EXPECT_NEAR(scores.terms()[2].idf, std::log(1 + 3.5 / 0.5), 1e-15);
}

TEST(SearchLexical, AnEmptyStoreAnswersNothing) {
  Corpus corpus;
  corpus.Add({});
  ASSERT_OK_AND_ASSIGN(const LexicalScores scores, corpus.Search("red"));
  EXPECT_EQ(scores.matches(), 0u);
  EXPECT_TRUE(scores.Top(10).empty());
  EXPECT_TRUE(scores.Top(0).empty());
  EXPECT_EQ(scores.Score(1), 0);
}

TEST(SearchLexical, NoTextIsAnError) {
  Corpus corpus;
  corpus.Add({"red apple", "near and or not", "body compound"});
  std::vector<std::string> hostile = {"",
                                      " ",
                                      "\"",
                                      "\"\"",
                                      "'",
                                      "*",
                                      "^",
                                      "+",
                                      "-",
                                      "(",
                                      ")",
                                      "()",
                                      "(((",
                                      "{a}: b",
                                      "body:red",
                                      "body : red",
                                      "- body : red",
                                      "{body compound} : red",
                                      "NEAR(red apple, 5)",
                                      "NEAR(",
                                      "NEAR",
                                      "red AND",
                                      "AND red",
                                      "NOT",
                                      "red NOT",
                                      "OR OR OR",
                                      "red OR",
                                      "^red",
                                      "red + apple",
                                      "\"red\" * \"apple\"",
                                      "red*apple",
                                      "**",
                                      "* *",
                                      "\"red",
                                      "red\"",
                                      "\\",
                                      "\\\"",
                                      "?1",
                                      ":x",
                                      "@a",
                                      "$b",
                                      ";",
                                      "--",
                                      "/*",
                                      "';DROP TABLE lexicon;--",
                                      "lexicon MATCH 'x'",
                                      "rank",
                                      "\x01\x02",
                                      "\xFF\xFE\xFD",
                                      "\xE2\x82",
                                      "red\xC0\xAF",
                                      std::string("red\0apple", 9),
                                      std::string(3, '\0'),
                                      std::string(100000, '"'),
                                      std::string(100001, '"'),
                                      std::string(100000, '('),
                                      std::string(100000, '*'),
                                      std::string(100000, 'a'),
                                      "+" + std::string(100000, '-')};
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "+w" + std::to_string(i) + "* \"x y\" ";
  hostile.push_back(many);
  for (const std::string& text : hostile) {
    SCOPED_TRACE(text.substr(0, 50));
    EXPECT_OK(corpus.Search(text));
    EXPECT_OK(corpus.Search(ParseLiteralQuery(text, corpus.tokenizer())));
  }
  std::mt19937_64 random(TestSeed(3));
  for (int round = 0; round < 500; ++round) {
    std::string text(random() % 30, ' ');
    for (char& c : text) c = static_cast<char>(random());
    EXPECT_OK(corpus.Search(text));
  }
  EXPECT_EQ(corpus.Find("+red"), std::vector<size_t>({0}));  // and the store still answers
}

}  // namespace
}  // namespace recall
