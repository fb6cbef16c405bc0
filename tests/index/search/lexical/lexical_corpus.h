#pragma once

// Chunks in a store and in memory, and the definition of lexical search as an oracle.

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
#include <utility>
#include <vector>

#include "index/base/text/tokenizer.h"
#include "index/search/lexical/lexical_index.h"
#include "index/search/vector/vector_writer.h"
#include "index/write/derived/posting_list_builder.h"
#include "storage/fts5/fts_index.h"
#include "storage/sqlite/connection.h"
#include "tests/test_util.h"

namespace recall {

using Tokens = std::vector<std::string>;

inline Tokens SplitWords(const std::string& text) {
  std::istringstream stream(text);
  Tokens words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Chunks in a store and in memory, so that a search can be compared with the definition.
class Corpus final {
 public:
  // By token of a column: the field it is in, if any. A shorter list stands for no fields.
  using Fields = std::vector<std::optional<CardField>>;
  struct Chunk {
    uint32_t row;
    Tokens body;
    Tokens compound;
    Fields body_fields = {};
    Fields compound_fields = {};
  };

  Corpus() : space_(8, 42) {
    StoreSettings settings;
    settings.dim = 8;
    store_ = Store::Create(directory_ / "recall.db", settings).value();
  }

  void Add(const std::vector<std::string>& texts) {
    std::vector<LexicalText> lexical(texts.size());
    std::vector<Chunk> chunks(texts.size());
    for (size_t i = 0; i < texts.size(); ++i) {
      tokenizer_.Analyze("", texts[i], &lexical[i]);
      chunks[i] = {0, SplitWords(lexical[i].body), SplitWords(lexical[i].compound)};
    }
    Add(lexical, std::move(chunks));
  }

  // Adds chunks with these tokens in the index, and what the oracle knows of them but the rows.
  void Add(const std::vector<LexicalText>& texts, std::vector<Chunk> chunks) {
    ReleaseView();
    const auto transaction = store_->BeginWrite().value();
    const auto count = static_cast<uint32_t>(texts.size());
    const uint32_t first = transaction->AllocateChunkRows(count).value();
    const std::vector<float> nothing(8);
    std::vector<ChunkVector> vectors;
    for (uint32_t i = 0; i < count; ++i) {
      const LexicalText& lexical = texts[i];
      EXPECT_OK(InsertFtsRow(transaction->connection(), first + i, lexical.body, lexical.compound));
      vectors.push_back({first + i, lexical.tokens, 1, space_.Quantize(nothing)});
      chunks[i].row = first + i;
      chunks_.push_back(std::move(chunks[i]));
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
    return SearchLexical(*view_, view_->counts(), *columns_, query, {allowed, &removed_});
  }
  Result<LexicalScores> Search(const LexicalQuery& query, RecentPostings* recent) const {
    return SearchLexical(*view_, view_->counts(), *columns_, query, {nullptr, &removed_}, recent);
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

inline bool StandsAt(const FtsPhrase& phrase, const Tokens& tokens, size_t at) {
  if (phrase.tokens.size() > tokens.size() - at) return false;
  for (size_t i = 0; i < phrase.tokens.size(); ++i) {
    const bool begun = phrase.prefix && i + 1 == phrase.tokens.size();
    const std::string& token = tokens[at + i];
    if (begun ? !token.starts_with(phrase.tokens[i]) : token != phrase.tokens[i]) return false;
  }
  return true;
}

// How often a clause is in a chunk, where an occurrence counts as much as the field that it is in.
inline double CountOf(const LexicalClause& clause, const Corpus::Chunk& chunk,
                      const FieldWeights& weights = {}) {
  double count = 0;
  const auto count_in = [&](const Tokens& tokens, const Corpus::Fields& fields) {
    for (const FtsPhrase& phrase : clause.any_of) {
      for (size_t at = 0; at < tokens.size(); ++at) {
        if (!StandsAt(phrase, tokens, at)) continue;
        std::set<std::optional<CardField>> within;
        for (size_t i = at; i < at + phrase.tokens.size(); ++i) {
          within.insert(i < fields.size() ? fields[i] : std::nullopt);
        }
        const bool whole = within.size() == 1 && *within.begin();
        count += whole ? weights.of(**within.begin()) : weights.body;
      }
    }
  };
  count_in(chunk.body, chunk.body_fields);
  count_in(chunk.compound, chunk.compound_fields);
  return count;
}

inline LexicalClause ClauseOf(const RelatedWord& word) {
  LexicalClause clause;
  clause.any_of.push_back({{word.stem}, false});
  return clause;
}

inline double DfOf(const LexicalClause& clause, const Corpus& corpus) {
  double df = 0;
  for (const Corpus::Chunk& chunk : corpus.chunks()) {
    df += !corpus.removed().Contains(chunk.row) && CountOf(clause, chunk) > 0;
  }
  return df;
}

// The related words of a clause that count: the first that the corpus has.
inline std::vector<RelatedWord> RelatedThatCount(const LexicalClause& clause,
                                                 const Corpus& corpus) {
  std::vector<RelatedWord> words;
  for (const RelatedWord& word : clause.related) {
    if (words.size() < kMostRelatedWords && DfOf(ClauseOf(word), corpus) > 0) words.push_back(word);
  }
  return words;
}

inline bool Matches(const LexicalQuery& query, const Corpus::Chunk& chunk) {
  bool any = false;
  bool has_must = false;
  for (const LexicalClause& clause : query.clauses) {
    const bool holds = CountOf(clause, chunk) > 0;
    if (clause.occur == LexicalClause::Occur::kMustNot && holds) return false;
    if (clause.occur == LexicalClause::Occur::kMust && !holds) return false;
    has_must |= clause.occur == LexicalClause::Occur::kMust;
    any |= clause.occur == LexicalClause::Occur::kShould && holds;
    for (const RelatedWord& word : clause.related) any |= CountOf(ClauseOf(word), chunk) > 0;
  }
  return any || has_must;
}

inline std::map<uint32_t, double> ScoreByDefinition(const Corpus& corpus, LexicalQuery query) {
  for (LexicalClause& clause : query.clauses) clause.related = RelatedThatCount(clause, corpus);
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
    if (clause.occur == LexicalClause::Occur::kMustNot) continue;
    const auto idf_of = [&](const LexicalClause& of) {
      const double df = DfOf(of, corpus);
      return std::log(1 + (live - df + 0.5) / (df + 0.5));
    };
    const double idf = idf_of(clause);
    std::vector<std::pair<LexicalClause, double>> related;
    for (const RelatedWord& word : clause.related) {
      const LexicalClause of = ClauseOf(word);
      related.emplace_back(of, kRelatedWeight * word.similarity * std::min(idf, idf_of(of)));
    }
    for (const Corpus::Chunk& chunk : corpus.chunks()) {
      const auto found = scores.find(chunk.row);
      if (found == scores.end()) continue;
      const double length = static_cast<double>(chunk.body.size()) / (tokens / live);
      const auto share = [&](double tf) {
        return tf == 0 ? 0 : tf * 2.5 / (tf + 1.5 * (0.25 + 0.75 * length));
      };
      double most = idf * share(CountOf(clause, chunk, query.field_weights));
      for (const auto& [of, weight] : related) {
        most = std::max(most, weight * share(CountOf(of, chunk)));
      }
      found->second += clause.count * most;
    }
  }
  return scores;
}

inline void ExpectSame(const LexicalScores& scores, std::map<uint32_t, double> expected,
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

inline void ExpectCounts(const Corpus& corpus, const LexicalQuery& query, const Bitmap* allowed) {
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

inline const Tokens kWords = {"red",     "apple",  "apples",     "running", "fooBar",
                              "foo_bar", "foobar", "foo",        "bar",     "the",
                              "日本語",  "日本",   "technology", "a-b",     "HTTPServer",
                              "server",  "http",   "green",      "pear",    "utf8"};

inline std::string RandomWords(std::mt19937_64& random, size_t most) {
  std::string text;
  for (size_t i = 1 + random() % most; i > 0; --i) {
    // Small numbers are more likely, so that some words are common and some are rare.
    text += kWords[random() % (1 + random() % kWords.size())] + ' ';
  }
  return text;
}

inline std::string RandomQuery(std::mt19937_64& random) {
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

}  // namespace recall
