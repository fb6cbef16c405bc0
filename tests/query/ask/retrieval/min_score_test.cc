// A minimum score truncates the ranking where its scores fall below it, and the totals are exact.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

template <typename T>
void ExpectRefused(const Result<T>& result) {
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code(), StatusCode::kInvalidArgument);
}

class MinScoreTest : public QueryFixture {
 protected:
  void FillStore(int files) {
    Create({.chunk_tokens = 24, .overlap_tokens = 4});
    std::mt19937_64 random(21);
    for (int i = 0; i < files; ++i) {
      WriteFile("d" + std::to_string(i) + ".txt", RandomText(random, 60 + random() % 60));
    }
    Add();
  }

  static SearchRequest Everything(SearchMode mode, FusionMethod fusion) {
    SearchRequest request;
    request.text = "alpha memory index";
    request.mode = mode;
    request.ranking.fusion = fusion;
    request.k = 100'000;
    return request;
  }

  // Checks that the pages of `size` hits are the parts of `expected`, and have the same total.
  void ExpectPages(SearchRequest request, size_t size, const std::vector<SearchHit>& expected) {
    request.k = size;
    for (request.offset = 0;; request.offset += size) {
      const SearchResponse page = Search(request);
      ASSERT_EQ(page.total_hits, static_cast<int64_t>(expected.size()));
      EXPECT_FALSE(page.total_hits_is_lower_bound);
      const size_t left = expected.size() - std::min(expected.size(), request.offset);
      ASSERT_EQ(page.hits.size(), std::min(size, left));
      for (size_t i = 0; i < page.hits.size(); ++i) {
        EXPECT_EQ(page.hits[i].chunk.id, expected[request.offset + i].chunk.id);
        EXPECT_EQ(page.hits[i].score, expected[request.offset + i].score);
      }
      ASSERT_EQ(page.next_offset.has_value(), left > size);
      if (!page.next_offset) return;
    }
  }
};

// The window of 300 and the hundred hits of stages end within the ranking.
TEST_F(MinScoreTest, TheRankingEndsWhereScoresFallBelowIt) {
  FillStore(250);
  const std::pair<SearchMode, FusionMethod> kinds[] = {
      {SearchMode::kHybrid, FusionMethod::kDefault},
      {SearchMode::kHybrid, FusionMethod::kWeighted},
      {SearchMode::kHybrid, FusionMethod::kReciprocalRank},
      {SearchMode::kLexical, FusionMethod::kDefault},
      {SearchMode::kSemantic, FusionMethod::kDefault}};
  for (const auto& [mode, fusion] : kinds) {
    SCOPED_TRACE(static_cast<int>(mode) * 10 + static_cast<int>(fusion));
    SearchRequest request = Everything(mode, fusion);
    // This stage leaves chunks out.
    const bool staged = mode != SearchMode::kSemantic && fusion != FusionMethod::kWeighted;
    if (staged) request.ranking.stages = "per-document:max=2";
    const std::vector<SearchHit> whole = Search(request).hits;
    ASSERT_GT(whole.size(), staged ? 400u : 500u);
    // A minimum equal to a hit's score keeps the hit; the next larger number drops it and its ties.
    for (const size_t place : {0, 7, 99, 100, 101, 230, 299, 300, 301, 390}) {
      for (const bool more : {false, true}) {
        request.ranking.min_score =
            more ? std::nextafter(whole[place].score, 2.0) : whole[place].score;
        if (request.ranking.min_score > 1) continue;
        std::vector<SearchHit> expected = whole;
        std::erase_if(expected,
                      [&](const SearchHit& hit) { return hit.score < request.ranking.min_score; });
        ExpectPages(request, 157, expected);
        request.explain = true;
        EXPECT_EQ(Search(request).explain->below_floor,
                  static_cast<int64_t>(whole.size() - expected.size()));
        request.explain = false;
      }
    }
    request.ranking.min_score = 0;
    EXPECT_EQ(Search(request).hits.size(), whole.size());
  }
}

TEST_F(MinScoreTest, RankedQueriesOfChunksAndDocumentsObeyIt) {
  FillStore(60);
  for (const std::string from : {"chunk", "doc"}) {
    for (const std::string order : {"", " ORDER BY doc.path ASC"}) {
      QueryRequest request;
      request.rql = "FROM " + from + " USING lexical('alpha memory'), semantic('alpha memory')" +
                    order + " LIMIT 10000 SELECT doc.path, score";
      ASSERT_OK_AND_ASSIGN(const QueryResponse whole, database_->Query(request));
      std::vector<double> scores;
      for (const QueryRow& row : whole.rows) scores.push_back(row.score);
      std::vector<double> sorted = scores;
      std::ranges::sort(sorted, std::greater());
      request.ranking.min_score = sorted[sorted.size() / 3];
      std::erase_if(scores, [&](double score) { return score < request.ranking.min_score; });
      ASSERT_OK_AND_ASSIGN(const QueryResponse cut, database_->Query(request));
      std::vector<double> kept;
      for (const QueryRow& row : cut.rows) kept.push_back(row.score);
      EXPECT_EQ(kept, scores);
      EXPECT_EQ(cut.total_hits, static_cast<int64_t>(scores.size()));
      EXPECT_LT(cut.rows.size(), whole.rows.size());
    }
  }
  QueryRequest unranked;
  unranked.rql = "FROM doc SELECT doc.path";
  unranked.ranking.min_score = 0.5;
  ExpectRefused(database_->Query(unranked));
}

// `similar` divides scores by that of the text itself. The minimum applies to the displayed scores.
TEST_F(MinScoreTest, SimilarHitsObeyItInTheScoresTheyShow) {
  FillStore(40);
  for (const std::string target : {"d7.txt", "d7.txt:1:1"}) {
    SimilarRequest request{target, {}};
    request.search.k = 10'000;
    ASSERT_OK_AND_ASSIGN(const SimilarResponse whole, database_->Similar(request));
    ASSERT_GT(whole.hits.size(), 10u);
    for (size_t place = 0; place < 10; ++place) {
      request.search.ranking.min_score = whole.hits[place].score;
      request.search.explain = true;
      ASSERT_OK_AND_ASSIGN(const SimilarResponse cut, database_->Similar(request));
      size_t expected = 0;
      while (expected < whole.hits.size() &&
             whole.hits[expected].score >= whole.hits[place].score) {
        ++expected;
      }
      EXPECT_EQ(cut.hits.size(), expected);
      EXPECT_EQ(cut.total_hits, static_cast<int64_t>(expected));
      EXPECT_FALSE(cut.next_offset);
      if (target == "d7.txt:1:1") {  // a document is counted once, but has several chunks
        EXPECT_EQ(cut.explain->below_floor,
                  static_cast<int64_t>(whole.hits.size()) - cut.total_hits);
      }
    }
  }
}

TEST_F(MinScoreTest, ContextsArePackedOfWhatReachesIt) {
  FillStore(40);
  ContextRequest request;
  request.search.text = "alpha memory index";
  request.budget_tokens = 100'000;
  request.pieces = ContextPieces::kChunks;
  request.search.ranking.min_score = Search(request.search).hits[5].score;
  const size_t hits = Search(request.search).hits.size();
  ASSERT_OK_AND_ASSIGN(const ContextResponse context, database_->Context(request));
  size_t chunks = 0;
  for (const ContextPiece& piece : context.pieces) chunks += piece.chunk_ids.size();
  EXPECT_EQ(chunks, hits);
  EXPECT_EQ(context.search.total_hits, static_cast<int64_t>(hits));
  request.search.ranking.min_score = 1;
  ASSERT_OK_AND_ASSIGN(const ContextResponse nothing, database_->Context(request));
  EXPECT_TRUE(nothing.pieces.empty());
  EXPECT_EQ(nothing.search.warnings,  // not that the budget was too small
            std::vector<std::string>{"no results: the minimum score or a stage leaves nothing"});
}

// If the semantic retriever proposes only its best chunks, others may exist below the last score,
// so a total is exact only with a minimum above it.
TEST_F(MinScoreTest, TotalsAreBoundsOnlyWhereOthersCouldReachIt) {
  Create({.chunk_tokens = 4, .overlap_tokens = 0});
  std::mt19937_64 random(5);
  for (int i = 0; i < 12; ++i) WriteFile(std::to_string(i) + ".txt", RandomText(random, 900));
  Add();
  SearchRequest request;
  request.text = "alpha memory";
  request.mode = SearchMode::kSemantic;
  request.k = 2000;
  const SearchResponse whole = Search(request);
  ASSERT_TRUE(whole.total_hits_is_lower_bound);
  const double last = whole.hits.back().score;
  request.ranking.min_score = std::nextafter(last, 1.0);
  EXPECT_FALSE(Search(request).total_hits_is_lower_bound);
  request.ranking.min_score = last;
  EXPECT_TRUE(Search(request).total_hits_is_lower_bound);
}

TEST_F(MinScoreTest, OtherNumbersAreRefused) {
  FillStore(3);
  for (const double bad : {-0.01, 1.01, std::numeric_limits<double>::quiet_NaN()}) {
    SearchRequest request;
    request.text = "alpha";
    request.ranking.min_score = bad;
    ExpectRefused(database_->Search(request));
    ExpectRefused(database_->Similar({"d1.txt", request}));
  }
}

}  // namespace
}  // namespace recall
