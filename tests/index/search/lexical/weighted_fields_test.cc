// Lexical search with weights of fields, compared with its definition.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "index/search/lexical/lexical_index.h"
#include "index/source/note/document_tokenizer.h"
#include "tests/index/search/lexical/lexical_corpus.h"

namespace recall {
namespace {

constexpr std::array<const char*, kCardFields> kKeys = {"recall_when", "title", "tags",
                                                        "topic_path", "summary"};

// A note in pieces, each of which is in one field or in none. No word reaches over two of them.
struct Piece {
  std::string text;
  std::optional<CardField> field;
};

std::vector<Piece> RandomNote(std::mt19937_64& random) {
  std::vector<Piece> pieces;
  const auto add = [&](const std::string& text, std::optional<CardField> field = std::nullopt) {
    pieces.push_back({text, field});
  };
  add("---\ntype: red\n");
  for (size_t i = random() % 7; i > 0; --i) {
    const size_t key = random() % kCardFields;
    const auto field = static_cast<CardField>(key);
    add(kKeys[key] + std::string(":"));
    switch (random() % 3) {
      case 0:
        add(" " + RandomWords(random, 4), field);
        break;
      case 1:
        add(" [\"" + RandomWords(random, 2) + "\", " + RandomWords(random, 2) + "]", field);
        add(" # apple red\n");
        break;
      default:
        add("\n");
        for (size_t item = random() % 3; item > 0; --item) {
          add("  - " + RandomWords(random, 3) + "\n", field);
          if (random() % 3 == 0) add("  # red apple\n");
        }
    }
    if (!pieces.back().text.ends_with("\n")) add("\n");
    if (random() % 4 == 0) add("other: " + RandomWords(random, 3) + "\n");
  }
  add("---\n");
  add(RandomWords(random, 12));
  return pieces;
}

void AddNotes(size_t count, std::mt19937_64& random, Corpus* corpus) {
  DocumentTokenizer document(kTokenizerVersion);
  std::vector<LexicalText> texts(count);
  std::vector<Corpus::Chunk> chunks(count);
  for (size_t i = 0; i < count; ++i) {
    const bool is_note = random() % 4 != 0;
    const std::vector<Piece> pieces = RandomNote(random);
    std::string text;
    for (const Piece& piece : pieces) {
      text += piece.text;
      LexicalText part;
      corpus->tokenizer().Analyze("", piece.text, &part);
      const auto take = [&](const std::string& tokens, Tokens* all, Corpus::Fields* fields) {
        for (std::string& token : SplitWords(tokens)) {
          all->push_back(std::move(token));
          fields->push_back(is_note ? piece.field : std::nullopt);
        }
      };
      take(part.body, &chunks[i].body, &chunks[i].body_fields);
      take(part.compound, &chunks[i].compound, &chunks[i].compound_fields);
    }
    document.Begin("", is_note ? "note" : "plain", {}, "", text);
    document.Analyze("", 0, text, &texts[i]);
    ASSERT_EQ(SplitWords(texts[i].body), chunks[i].body) << text;  // the pieces are independent
  }
  corpus->Add(texts, std::move(chunks));
}

FieldWeights RandomWeights(std::mt19937_64& random) {
  constexpr double kChoices[] = {0.01, 0.5, 1, 1, 2, 3, 5, 100};
  FieldWeights weights;
  for (double& weight : weights.card) weight = kChoices[random() % std::size(kChoices)];
  if (random() % 3 == 0) weights.body = kChoices[random() % std::size(kChoices)];
  return weights;
}

// The parts of a score add up to it, and each is the share of its occurrences.
void ExpectParts(const Corpus& corpus, const LexicalQuery& query, const LexicalScores& scores) {
  for (const RetrieverHit& hit : scores.Top(5)) {
    const auto parts = scores.ScoreByField(hit.chunk);
    double sum = 0;
    for (const double part : parts) sum += part;
    EXPECT_NEAR(sum, hit.score, 1e-12 * hit.score);
    const auto& chunk = *std::ranges::find(corpus.chunks(), hit.chunk, &Corpus::Chunk::row);
    for (size_t f = 0; f < kCardFields; ++f) {
      FieldWeights only_this;
      only_this.card.fill(0);
      only_this.body = 0;
      only_this.card[f] = 1;
      double occurrences = 0;
      for (const LexicalClause& clause : query.clauses) {
        if (clause.occur == LexicalClause::Occur::kMustNot) continue;
        occurrences += CountOf(clause, chunk, only_this);
      }
      // A field that weighs as much as the body is part of it.
      const bool apart = query.field_weights.card[f] != query.field_weights.body;
      EXPECT_EQ(parts[f] > 0, apart && occurrences > 0);
    }
  }
}

void Compare(const Corpus& corpus, const LexicalQuery& query, const Bitmap& allowed) {
  const auto expected = ScoreByDefinition(corpus, query);
  ASSERT_OK_AND_ASSIGN(const LexicalScores all, corpus.Search(query));
  ExpectSame(all, expected, nullptr);
  ASSERT_OK_AND_ASSIGN(const LexicalScores some, corpus.Search(query, &allowed));
  ExpectSame(some, expected, &allowed);
  ExpectParts(corpus, query, all);
}

TEST(WeightedFieldsTest, EqualTheDefinitionOnRandomNotes) {
  std::mt19937_64 random(TestSeed(1));
  for (int round = 0; round < 15; ++round) {
    Corpus corpus;
    AddNotes(1 + random() % 60, random, &corpus);
    if (random() % 2) corpus.Remove(random() % corpus.chunks().size());
    Bitmap allowed;
    for (const Corpus::Chunk& chunk : corpus.chunks()) {
      if (random() % 2) allowed.Add(chunk.row);
    }
    for (int i = 0; i < 40; ++i) {
      const std::string text = RandomQuery(random);
      SCOPED_TRACE(text);
      LexicalQuery query = ParseLexicalQuery(text, corpus.tokenizer());
      query.field_weights = RandomWeights(random);
      Compare(corpus, query, allowed);
    }
  }
}

// With precomputed posting lists of common words of all and of some notes, several segments, gaps
// between rowids, and clauses that an earlier search has read.
TEST(WeightedFieldsTest, EqualTheDefinitionAcrossBlocksAndSegments) {
  std::mt19937_64 random(TestSeed(2));
  Corpus corpus;
  const auto compare = [&] {
    Bitmap allowed;
    for (const Corpus::Chunk& chunk : corpus.chunks()) {
      if (random() % 5 == 0 || chunk.row / 500 % 3 == 0) allowed.Add(chunk.row);
    }
    RecentPostings recent;
    for (const char* text : {"red", "pear", "red fooBar -green", "+apple server*",
                             "\"red apple\" a-b", "日本語 utf8 utf8", "+red -\"red red\""}) {
      SCOPED_TRACE(text);
      LexicalQuery query = ParseLexicalQuery(text, corpus.tokenizer());
      query.field_weights = RandomWeights(random);
      Compare(corpus, query, allowed);
      ASSERT_OK_AND_ASSIGN(const LexicalScores again, corpus.Search(query, &recent));
      ExpectSame(again, ScoreByDefinition(corpus, query), nullptr);
    }
  };
  AddNotes(1500, random, &corpus);
  compare();
  EXPECT_GT(corpus.MakeReady(8), 20);
  compare();
  for (size_t i = 0; i < 20; ++i) corpus.Remove(i * 70 + 7);
  AddNotes(300, random, &corpus);
  compare();
  EXPECT_GT(corpus.MakeReady(2000), 60);
  corpus.LeaveOut(300'000'000);
  AddNotes(100, random, &corpus);
  compare();
}

// The same bits as without weights, so equal weights may be left out.
TEST(WeightedFieldsTest, OneLeavesEveryBitOfAScoreAsItIs) {
  std::mt19937_64 random(TestSeed(3));
  Corpus corpus;
  AddNotes(200, random, &corpus);
  for (int i = 0; i < 50; ++i) {
    LexicalQuery query = ParseLexicalQuery(RandomQuery(random), corpus.tokenizer());
    ASSERT_OK_AND_ASSIGN(const LexicalScores plain, corpus.Search(query));
    query.field_weights.card.back() = 5;
    ASSERT_OK_AND_ASSIGN(const LexicalScores weighted, corpus.Search(query));
    EXPECT_EQ(weighted.matches(), plain.matches());
    for (const Corpus::Chunk& chunk : corpus.chunks()) {
      const bool has_summary =
          std::ranges::count(chunk.body_fields, std::optional(CardField::kSummary)) > 0;
      if (has_summary) {
        EXPECT_GE(weighted.Score(chunk.row), plain.Score(chunk.row));
      } else {
        EXPECT_EQ(weighted.Score(chunk.row), plain.Score(chunk.row));
      }
    }
  }
}

}  // namespace
}  // namespace recall
