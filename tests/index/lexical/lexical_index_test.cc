#include "index/lexical/lexical_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "index/derived/posting_list_builder.h"
#include "index/text/tokenizer.h"
#include "index/vector/vector_writer.h"
#include "storage/fts5/fts_index.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using Occur = LexicalClause::Occur;
using Tokens = std::vector<std::string>;

Tokens SplitWords(const std::string& text) {
  std::istringstream stream(text);
  Tokens words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Chunks in a store and in memory, so that a search can be compared with the definition.
class Corpus final {
 public:
  struct Chunk {
    uint32_t row;
    Tokens body;
    Tokens compound;
  };

  Corpus() : space_(8, 42) {
    StoreSettings settings;
    settings.dim = 8;
    store_ = Store::Create(directory_ / "recall.db", settings).value();
  }

  void Add(const std::vector<std::string>& texts) {
    ReleaseView();
    const auto transaction = store_->BeginWrite().value();
    const auto count = static_cast<uint32_t>(texts.size());
    const uint32_t first = transaction->AllocateChunkRows(count).value();
    const std::vector<float> nothing(8);
    std::vector<ChunkVector> vectors;
    for (uint32_t i = 0; i < count; ++i) {
      LexicalText lexical;
      tokenizer_.Analyze("", texts[i], &lexical);
      EXPECT_OK(InsertFtsRow(transaction->connection(), first + i, lexical.body, lexical.compound));
      vectors.push_back({first + i, lexical.tokens, 1, space_.Quantize(nothing)});
      chunks_.push_back({first + i, SplitWords(lexical.body), SplitWords(lexical.compound)});
      ++transaction->mutable_counts().chunks;
      transaction->mutable_counts().lexical_tokens += lexical.tokens;
    }
    EXPECT_OK(AppendVectors(*transaction, space_, vectors));
    EXPECT_OK(transaction->Commit());
    OpenView();
  }

  // Allocates rowids that no chunk uses.
  void LeaveOut(uint32_t rows) {
    ReleaseView();
    const auto transaction = store_->BeginWrite().value();
    EXPECT_OK(transaction->AllocateChunkRows(rows));
    EXPECT_OK(transaction->Commit());
    OpenView();
  }

  // Removes a chunk like the writer: its postings stay in the index, the counts are updated.
  void Remove(size_t index) {
    ReleaseView();
    removed_.Add(chunks_[index].row);
    const auto transaction = store_->BeginWrite().value();
    --transaction->mutable_counts().chunks;
    transaction->mutable_counts().lexical_tokens -=
        static_cast<int64_t>(chunks_[index].body.size());
    EXPECT_OK(transaction->Commit());
    OpenView();
  }

  // Precomputes the posting lists of words that occur in at least one of `chunks_per_posting`
  // chunks, for all chunks so far. Returns: the number of lists.
  int64_t MakeReady(uint32_t chunks_per_posting) {
    ReleaseView();
    const std::atomic<bool> go_on = false;
    EXPECT_OK(BuildPostingListsIfDue(*store_, go_on,
                                     {.chunks_from = 1,
                                      .chunks_per_posting = chunks_per_posting,
                                      .batch_bytes = 500,
                                      .always = true}));
    OpenView();
    return view_->connection()
        .QueryInt(
            "SELECT count(*) FROM posting_list JOIN posting_set ON posting_set.id = "
            "posting_set WHERE complete")
        .value();
  }

  Result<LexicalScores> Search(const LexicalQuery& query, const Bitmap* allowed = nullptr) const {
    return SearchLexical(*view_, *columns_, query, {allowed, &removed_});
  }
  Result<LexicalScores> Search(const LexicalQuery& query, RecentPostings* recent) const {
    return SearchLexical(*view_, *columns_, query, {nullptr, &removed_}, recent);
  }
  Result<std::vector<ClauseMatches>> Count(const LexicalQuery& query, const Bitmap* allowed) const {
    return CountMatches(*view_, query, {allowed, &removed_});
  }
  Result<LexicalScores> Search(std::string_view text) {
    return Search(ParseLexicalQuery(text, tokenizer_));
  }
  // The indexes, in the order of addition, of the chunks found, best first.
  std::vector<size_t> Find(std::string_view text, size_t k = 100) {
    std::vector<size_t> found;
    for (const RetrieverHit& hit : Search(text).value().Top(k)) {
      found.push_back(hit.chunk - chunks_.front().row);
    }
    return found;
  }

  const std::vector<Chunk>& chunks() const { return chunks_; }
  const Bitmap& removed() const { return removed_; }
  Tokenizer& tokenizer() { return tokenizer_; }

 private:
  void ReleaseView() {
    columns_.reset();
    view_.reset();
  }
  void OpenView() {
    view_ = store_->BeginRead().value();
    columns_ = ChunkColumns::Open(*view_, space_).value();
  }

  TempDir directory_;
  VectorSpace space_;
  Tokenizer tokenizer_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<ReadTransaction> view_;
  std::unique_ptr<ChunkColumns> columns_;
  std::vector<Chunk> chunks_;
  Bitmap removed_;
};

// ---- The oracle: the scores by their definition, computed from the tokens of every chunk. ----

bool StandsAt(const FtsPhrase& phrase, const Tokens& tokens, size_t at) {
  if (phrase.tokens.size() > tokens.size() - at) return false;
  for (size_t i = 0; i < phrase.tokens.size(); ++i) {
    const bool begun = phrase.prefix && i + 1 == phrase.tokens.size();
    const std::string& token = tokens[at + i];
    if (begun ? !token.starts_with(phrase.tokens[i]) : token != phrase.tokens[i]) return false;
  }
  return true;
}

double CountOf(const LexicalClause& clause, const Corpus::Chunk& chunk) {
  double count = 0;
  for (const FtsPhrase& phrase : clause.any_of) {
    for (const Tokens* tokens : {&chunk.body, &chunk.compound}) {
      for (size_t at = 0; at < tokens->size(); ++at) count += StandsAt(phrase, *tokens, at);
    }
  }
  return count;
}

bool Matches(const LexicalQuery& query, const Corpus::Chunk& chunk) {
  bool any = false;
  bool has_must = false;
  for (const LexicalClause& clause : query.clauses) {
    const bool holds = CountOf(clause, chunk) > 0;
    if (clause.occur == Occur::kMustNot && holds) return false;
    if (clause.occur == Occur::kMust && !holds) return false;
    has_must |= clause.occur == Occur::kMust;
    any |= clause.occur == Occur::kShould && holds;
  }
  return any || has_must;
}

std::map<uint32_t, double> ScoreByDefinition(const Corpus& corpus, const LexicalQuery& query) {
  double live = 0;
  double tokens = 0;
  for (const Corpus::Chunk& chunk : corpus.chunks()) {
    if (corpus.removed().Contains(chunk.row)) continue;
    ++live;
    tokens += static_cast<double>(chunk.body.size());
  }
  std::map<uint32_t, double> scores;
  for (const Corpus::Chunk& chunk : corpus.chunks()) {
    if (!corpus.removed().Contains(chunk.row) && Matches(query, chunk)) scores[chunk.row] = 0;
  }
  for (const LexicalClause& clause : query.clauses) {
    if (clause.occur == Occur::kMustNot) continue;
    double df = 0;
    for (const Corpus::Chunk& chunk : corpus.chunks()) {
      df += !corpus.removed().Contains(chunk.row) && CountOf(clause, chunk) > 0;
    }
    const double idf = std::log(1 + (live - df + 0.5) / (df + 0.5));
    for (const Corpus::Chunk& chunk : corpus.chunks()) {
      const double tf = CountOf(clause, chunk);
      const auto found = scores.find(chunk.row);
      if (tf == 0 || found == scores.end()) continue;
      const double length = static_cast<double>(chunk.body.size()) / (tokens / live);
      found->second += clause.count * idf * tf * 2.5 / (tf + 1.5 * (0.25 + 0.75 * length));
    }
  }
  return scores;
}

void ExpectSame(const LexicalScores& scores, std::map<uint32_t, double> expected,
                const Bitmap* allowed) {
  std::erase_if(expected,
                [&](const auto& hit) { return allowed && !allowed->Contains(hit.first); });
  ASSERT_EQ(scores.matches(), expected.size());
  std::vector<RetrieverHit> ranking = scores.Top(expected.size() + 5);
  ASSERT_EQ(ranking.size(), expected.size());
  for (size_t i = 0; i < ranking.size(); ++i) {
    ASSERT_TRUE(expected.contains(ranking[i].chunk));
    const double score = expected[ranking[i].chunk];
    EXPECT_NEAR(ranking[i].score, score, 1e-12 * score);
    EXPECT_EQ(scores.Score(ranking[i].chunk), ranking[i].score);
    EXPECT_TRUE(scores.Holds(ranking[i].chunk));
    EXPECT_EQ(scores.Rank(ranking[i]), i + 1);
    EXPECT_GT(ranking[i].score, 0);
    EXPECT_LT(ranking[i].score, scores.score_upper_bound());
    if (i == 0) continue;
    const RetrieverHit& before = ranking[i - 1];
    EXPECT_TRUE(before.score > ranking[i].score ||
                (before.score == ranking[i].score && before.chunk < ranking[i].chunk));
  }
  for (uint32_t chunk = 0; chunk < 3000; ++chunk) {
    EXPECT_EQ(scores.Holds(chunk), expected.contains(chunk)) << chunk;
  }
  const std::vector<RetrieverHit> best = scores.Top(3);
  for (size_t i = 0; i < best.size(); ++i) EXPECT_EQ(best[i].chunk, ranking[i].chunk);
}

void ExpectCounts(const Corpus& corpus, const LexicalQuery& query, const Bitmap* allowed) {
  ASSERT_OK_AND_ASSIGN(const std::vector<ClauseMatches> counts, corpus.Count(query, allowed));
  ASSERT_EQ(counts.size(), query.clauses.size());
  for (size_t i = 0; i < counts.size(); ++i) {
    uint64_t live = 0;
    uint64_t passing = 0;
    for (const Corpus::Chunk& chunk : corpus.chunks()) {
      if (corpus.removed().Contains(chunk.row) || CountOf(query.clauses[i], chunk) == 0) continue;
      ++live;
      passing += !allowed || allowed->Contains(chunk.row);
    }
    EXPECT_EQ(counts[i].live, live) << query.clauses[i].text;
    EXPECT_EQ(counts[i].elsewhere, live > passing) << query.clauses[i].text;
  }
}

const Tokens kWords = {"red",     "apple",  "apples",     "running", "fooBar",
                       "foo_bar", "foobar", "foo",        "bar",     "the",
                       "日本語",  "日本",   "technology", "a-b",     "HTTPServer",
                       "server",  "http",   "green",      "pear",    "utf8"};

std::string RandomWords(std::mt19937_64& random, size_t most) {
  std::string text;
  for (size_t i = 1 + random() % most; i > 0; --i) {
    // Small numbers are more likely, so that some words are common and some are rare.
    text += kWords[random() % (1 + random() % kWords.size())] + ' ';
  }
  return text;
}

std::string RandomQuery(std::mt19937_64& random) {
  std::string query;
  for (size_t i = 1 + random() % 4; i > 0; --i) {
    const std::string word = kWords[random() % kWords.size()];
    const std::string other = kWords[random() % kWords.size()];
    switch (random() % 8) {
      case 0:
        query += '+' + word;
        break;
      case 1:
        query += '-' + word;
        break;
      case 2:
        query += '"' + word + ' ' + other + '"';
        break;
      case 3:
        query += word.substr(0, 3) + '*';
        break;
      case 4:
        query += "-\"" + word + ' ' + other + '"';
        break;
      default:
        query += word;
    }
    query += ' ';
  }
  return query;
}

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
