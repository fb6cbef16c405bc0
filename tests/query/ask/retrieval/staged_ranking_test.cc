// Properties of all stages: pages are consistent, filters apply, scores are within [0, 1], and
// explained parts add up.

#include <gtest/gtest.h>

#include <set>

#include "tests/query/ask/stages/stage_fixture.h"

namespace recall {
namespace {

constexpr const char* kChains[] = {
    "proximity",
    "rm3",
    "mmr:lambda=0",
    "near-duplicates:threshold=0.1",
    "per-document",
    "recency:weight=1:half-life=1s",
    "hops,freshness,uses:weight=1",
    "fields",
    "ranker:name=sizes",
    "ranker:name=sizes:weight=0.4,per-document:max=2",
    "rm3,per-document:max=2,mmr",
    "per-document:max=2,near-duplicates:threshold=0.2,recency:half-life=7d,proximity:weight=1",
};

class StagedRankingTest : public StageFixture {
 protected:
  SearchRequest At(const std::string& stages) const {
    SearchRequest request = Request(stages);
    request.scope.as_of = *ParseRfc3339("2030-01-01T00:00:00Z");
    return request;
  }
};

TEST_F(StagedRankingTest, PagesOfAnySizeAreTheOneRanking) {
  FillStore(60);
  for (const SearchMode mode : {SearchMode::kHybrid, SearchMode::kLexical, SearchMode::kSemantic}) {
    mode_ = mode;
    for (const FusionMethod fusion : {FusionMethod::kDefault, FusionMethod::kReciprocalRank}) {
      const bool by_default = mode == SearchMode::kHybrid && fusion == FusionMethod::kDefault;
      for (const char* stages : kChains) {
        if (!by_default && stages != kChains[1] && stages != kChains[10]) continue;
        SCOPED_TRACE(stages);
        SearchRequest request = At(stages);
        request.ranking.fusion = fusion;
        const SearchResponse whole = Search(request);
        ASSERT_GT(whole.hits.size(), 60u);
        EXPECT_EQ(whole.total_hits, static_cast<int64_t>(whole.hits.size()));
        std::set<std::string> ids;
        double previous = 1;
        for (const SearchHit& hit : whole.hits) {
          EXPECT_TRUE(ids.insert(hit.chunk.id).second);
          EXPECT_LE(hit.score, previous);
          EXPECT_GT(hit.score, 0);
          previous = hit.score;
        }
        request.k = 37;
        for (request.offset = 0; request.offset < whole.hits.size(); request.offset += request.k) {
          const SearchResponse page = Search(request);
          ASSERT_EQ(page.hits.size(), std::min(request.k, whole.hits.size() - request.offset));
          EXPECT_EQ(page.total_hits, whole.total_hits);
          for (size_t i = 0; i < page.hits.size(); ++i) {
            EXPECT_EQ(page.hits[i].chunk.id, whole.hits[request.offset + i].chunk.id);
            EXPECT_EQ(page.hits[i].score, whole.hits[request.offset + i].score);
          }
        }
      }
    }
  }
}

TEST_F(StagedRankingTest, ExplainedEffectsLeadFromOneStageToTheNext) {
  FillStore(80);
  for (const char* stages : kChains) {
    const SearchResponse found = Search(At(stages));
    const std::vector<StageSummary>& summaries = found.explain->stages;
    ASSERT_FALSE(summaries.empty());
    EXPECT_EQ(summaries[0].ranked, 100);
    int64_t left = 100;
    for (const StageSummary& summary : summaries) left -= summary.left_out;
    std::set<int64_t> places;
    for (const SearchHit& hit : found.hits) {
      const HitExplain& explain = *hit.explain;
      const double sum = explain.parts.Sum();
      double score = sum * found.explain->calibration;
      for (size_t i = 0; i < explain.stages.size(); ++i) {
        EXPECT_EQ(explain.stages[i].stage, summaries[i].stage);
        EXPECT_NEAR(explain.stages[i].score_before, score, 1e-9);
        score = explain.stages[i].score;
      }
      EXPECT_NEAR(score, hit.score, 1e-9);
      if (explain.stages.empty()) continue;
      EXPECT_EQ(explain.stages.size(), summaries.size());
      EXPECT_TRUE(places.insert(explain.stages.back().rank).second);
    }
    EXPECT_EQ(static_cast<int64_t>(places.size()), left);
    EXPECT_EQ(*places.rbegin(), left);
  }
}

TEST_F(StagedRankingTest, FiltersAreStrictAndAMinScoreIsOfTheLastStage) {
  FillStore(80);
  for (const char* stages : kChains) {
    SearchRequest request = At(stages);
    request.scope.filter = "doc.path GLOB '*[02468].txt'";
    std::vector<SearchHit> whole = Search(request).hits;
    ASSERT_GT(whole.size(), 20u);
    for (const SearchHit& hit : whole) {
      EXPECT_EQ((hit.doc.path[hit.doc.path.size() - 5] - '0') % 2, 0);
    }
    request.ranking.min_score = whole[10].score;
    std::erase_if(whole, [&](const SearchHit& hit) { return hit.score < whole[10].score; });
    const SearchResponse cut = Search(request);
    ASSERT_EQ(cut.hits.size(), whole.size());
    EXPECT_EQ(cut.total_hits, static_cast<int64_t>(whole.size()));
    for (size_t i = 0; i < whole.size(); ++i) EXPECT_EQ(cut.hits[i].chunk.id, whole[i].chunk.id);
  }
}

TEST_F(StagedRankingTest, ContextsArePackedOfTheStagedRanking) {
  FillStore(30);
  ContextRequest context;
  context.search = Request("per-document:max=1");
  context.pieces = ContextPieces::kChunks;
  context.budget_tokens = 100'000;
  ASSERT_OK_AND_ASSIGN(const ContextResponse packed, database_->Context(context));
  std::set<std::string> ids;
  for (const ContextPiece& piece : packed.pieces) {
    ids.insert(piece.chunk_ids.begin(), piece.chunk_ids.end());
  }
  std::set<std::string> hits;
  for (const SearchHit& hit : Hits("per-document:max=1")) hits.insert(hit.chunk.id);
  EXPECT_EQ(ids, hits);
  ASSERT_GE(hits.size(), 30u);
  ASSERT_EQ(packed.pieces[0].explain->stages.size(), 1u);
}

TEST_F(StagedRankingTest, QueriesPassTheStagesAsSearchesDo) {
  FillStore(60);
  for (const char* stages : kChains) {
    SCOPED_TRACE(stages);
    const SearchResponse searched = Search(At(stages));
    QueryRequest request;
    request.ranking.stages = stages;
    request.as_of = *ParseRfc3339("2030-01-01T00:00:00Z");
    request.default_limit = 100'000;
    request.explain = true;
    const std::string ranked =
        " USING lexical('alpha memory index budget'), semantic('alpha memory index budget')";
    request.rql = "FROM chunk" + ranked + " SELECT score, chunk.id";
    ASSERT_OK_AND_ASSIGN(const QueryResponse chunks, database_->Query(request));
    ASSERT_EQ(chunks.rows.size(), searched.hits.size());
    EXPECT_EQ(chunks.total_hits, searched.total_hits);
    EXPECT_EQ(chunks.as_of, searched.as_of);
    EXPECT_EQ(chunks.explain->stages.size(), searched.explain->stages.size());
    std::vector<std::pair<std::string, double>> docs;  // with the score of their best chunk
    for (size_t i = 0; i < chunks.rows.size(); ++i) {
      const SearchHit& hit = searched.hits[i];
      EXPECT_EQ(chunks.rows[i].chunk->id, hit.chunk.id);
      EXPECT_EQ(chunks.rows[i].score, hit.score);
      EXPECT_EQ(chunks.rows[i].explain->stages.size(), hit.explain->stages.size());
      const auto known = std::ranges::find(docs, hit.doc.path, &decltype(docs)::value_type::first);
      if (known == docs.end()) docs.emplace_back(hit.doc.path, hit.score);
    }
    request.rql = "FROM doc" + ranked + " ORDER BY score DESC, doc.path ASC SELECT doc.path";
    std::ranges::sort(docs, [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    ASSERT_OK_AND_ASSIGN(const QueryResponse found, database_->Query(request));
    ASSERT_EQ(found.rows.size(), docs.size());
    for (size_t i = 0; i < docs.size(); ++i) EXPECT_EQ(found.rows[i].doc.path, docs[i].first);
  }
}

TEST_F(StagedRankingTest, WhatRanksNothingHasNoStages) {
  FillStore(2);
  QueryRequest request;
  request.rql = "FROM doc SELECT doc.path";
  request.ranking.stages = "mmr";
  EXPECT_EQ(database_->Query(request).error().ToString(),
            "invalid_argument: stages need a ranking, but this query does not rank");
  SimilarRequest near;
  near.target = "d0.txt";
  near.search.ranking.stages = "diversity";
  EXPECT_EQ(database_->Similar(near).error().code(), StatusCode::kInvalidArgument);
}

// If the stages saw the target itself, it would stand for all its near-duplicates and hide them.
TEST_F(StagedRankingTest, SimilarHitsPassTheStagesWithoutTheThingItself) {
  const std::string text =
      "The writer appends frames to the log and syncs it before a commit returns.";
  for (const char* name : {"a.txt", "b.txt", "c.txt"}) WriteFile(name, text + "\n");
  WriteFile("d.txt", "A reader ignores frames of the log that came after it began.\n");
  Add();
  SimilarRequest request;
  request.target = "a.txt";
  request.search.explain = true;
  request.search.ranking.stages = "near-duplicates";
  ASSERT_OK_AND_ASSIGN(const SimilarResponse near, database_->Similar(request));
  ASSERT_EQ(near.hits.size(), 2u);
  EXPECT_EQ(near.total_hits, 2);
  EXPECT_EQ(near.hits[0].doc.path, "b.txt");
  EXPECT_EQ(near.hits[0].score, 1);
  ASSERT_EQ(near.hits[0].stands_for.size(), 1u);
  EXPECT_EQ(near.hits[0].stands_for[0].path, "c.txt");
  EXPECT_EQ(near.hits[0].explain->stages[0].score, 1);
  EXPECT_EQ(near.hits[1].doc.path, "d.txt");
  EXPECT_EQ(near.explain->stages[0].ranked, 3);
}

TEST_F(StagedRankingTest, SimilarHitsOfADocumentAreCappedAndPagesFitTogether) {
  FillStore(70);
  SimilarRequest request;
  request.search = At("");
  request.target = Hits()[3].chunk.id;
  ASSERT_OK_AND_ASSIGN(const SimilarResponse plain, database_->Similar(request));
  ASSERT_GT(plain.hits.size(), 150u);
  std::vector<std::string> expected;
  std::set<std::string> docs;
  for (size_t i = 0; i < plain.hits.size(); ++i) {
    const SearchHit& hit = plain.hits[i];
    const bool known = docs.contains(hit.doc.path);
    if (!known) expected.push_back(hit.chunk.id);
    if (i < 100) docs.insert(hit.doc.path);  // only the best hundred are capped
  }
  request.search.ranking.stages = "per-document:max=1";
  ASSERT_OK_AND_ASSIGN(const SimilarResponse capped, database_->Similar(request));
  std::vector<std::string> ids;
  for (const SearchHit& hit : capped.hits) ids.push_back(hit.chunk.id);
  EXPECT_EQ(ids, expected);
  EXPECT_EQ(capped.total_hits, static_cast<int64_t>(expected.size()));
  request.search.k = 9;
  std::vector<std::string> joined;
  for (; request.search.offset < expected.size(); request.search.offset += request.search.k) {
    ASSERT_OK_AND_ASSIGN(const SimilarResponse page, database_->Similar(request));
    for (const SearchHit& hit : page.hits) joined.push_back(hit.chunk.id);
    EXPECT_EQ(page.next_offset.has_value(), joined.size() < expected.size());
  }
  EXPECT_EQ(joined, expected);
}

// No stage fails on a result with no hit or one hit.
TEST_F(StagedRankingTest, SmallResultsPassThrough) {
  WriteFile("one.txt", "the only text about penguins");
  WriteFile("empty.txt", "");
  Add();
  Reopen({.rankers = Rankers()});
  for (const char* stages : kChains) {
    SearchRequest request = At(stages);
    for (const auto& [text, hits] : {std::pair("penguins", 1u), {"walrus", 0u}, {"the of", 0u}}) {
      request.text = text;
      request.mode = SearchMode::kLexical;
      EXPECT_EQ(Search(request).hits.size(), hits == 0 && request.text == "the of" ? 1u : hits)
          << stages << ": " << text;
    }
  }
}

}  // namespace
}  // namespace recall
