// The fusion methods, compared with their formulas on the scores of the retrievers.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "query/ask/ranking/reciprocal_rank.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

TEST(ReciprocalRankTest, CountsPlacesAndNothingElse) {
  EXPECT_EQ(FuseReciprocalRanks({3, 1, .1}, 1, 1).score, 1);  // first in both rankings
  EXPECT_DOUBLE_EQ(FuseReciprocalRanks({7, 100, .9}, 2, 0).score, 61.0 / 62 / 2);
  const ScoredChunk third = FuseReciprocalRanks({5, 50, .2}, 0, 3);
  EXPECT_EQ(third.candidate.chunk, 5u);
  EXPECT_EQ(third.score, FuseReciprocalRanks({4, 50, .2}, 3, 0).score);
  EXPECT_DOUBLE_EQ(third.parts.lexical + third.parts.semantic, 1.0 / 63);
  EXPECT_EQ(FuseReciprocalRanks({9, 0, 0}, 0, 0).score, 0);  // no retriever proposes it
}

class FusionMethodsTest : public QueryFixture {
 protected:
  void FillStore() {
    Create({.chunk_tokens = 24, .overlap_tokens = 4});
    std::mt19937_64 random(31);
    for (int i = 0; i < 100; ++i) {
      WriteFile("d" + std::to_string(i) + ".txt", RandomText(random, 60 + random() % 60));
    }
    Add();
  }

  SearchResponse Ask(FusionMethod fusion, SearchMode mode = SearchMode::kHybrid) {
    SearchRequest request;
    request.text = "alpha memory index";
    request.mode = mode;
    request.ranking.fusion = fusion;
    request.weights = weights_;
    request.explain = true;
    request.k = 100'000;
    return Search(request);
  }

  // The result of `score` for each hit of the default ranking, by chunk id.
  static std::map<std::string, double> ScoresBy(const SearchResponse& ranking, const auto& score) {
    std::map<std::string, double> scores;
    for (const SearchHit& hit : ranking.hits) {
      if (const double value = score(*hit.explain); value > 0) scores[hit.chunk.id] = value;
    }
    return scores;
  }

  static void ExpectScores(const SearchResponse& found,
                           const std::map<std::string, double>& expected) {
    ASSERT_GT(expected.size(), 250u);
    ASSERT_EQ(found.hits.size(), expected.size());
    EXPECT_EQ(found.total_hits, static_cast<int64_t>(expected.size()));
    double previous = 1;
    for (const SearchHit& hit : found.hits) {
      EXPECT_NEAR(hit.score, expected.at(hit.chunk.id), 1e-12);
      EXPECT_LE(hit.score, previous);
      EXPECT_GE(hit.score, 0);
      previous = hit.score;
      const double sum = hit.explain->parts.lexical + hit.explain->parts.semantic;
      EXPECT_NEAR(sum * found.explain->calibration, hit.score, 1e-12);
      EXPECT_FALSE(hit.explain->first_stage_rank);  // no reranking
    }
  }

  std::optional<FusionWeights> weights_;
};

TEST_F(FusionMethodsTest, ReciprocalRankFusionIsTheSumOverThePlaces) {
  FillStore();
  const SearchResponse found = Ask(FusionMethod::kReciprocalRank);
  ExpectScores(found, ScoresBy(Ask(FusionMethod::kDefault), [](const HitExplain& explain) {
                 double sum = 0;
                 if (explain.lexical_rank)
                   sum += 1.0 / static_cast<double>(60 + *explain.lexical_rank);
                 if (explain.semantic_rank) {
                   sum += 1.0 / static_cast<double>(60 + *explain.semantic_rank);
                 }
                 return sum * 61 / 2;
               }));
  EXPECT_EQ(found.explain->fusion, FusionMethod::kReciprocalRank);
}

// With a depth, the first documents of each retriever are ranked, and nothing else is a member.
TEST_F(FusionMethodsTest, DocumentsAreRankedUpToTheDepth) {
  FillStore();
  // The documents in the order of their best chunks.
  const auto order_by = [](const SearchResponse& ranks, auto rank) {
    std::map<int64_t, std::string> by_rank;
    for (const SearchHit& hit : ranks.hits) {
      if (const auto& place = (*hit.explain).*rank) by_rank[*place] = hit.doc.path;
    }
    std::vector<std::string> order;
    for (const auto& [place, path] : by_rank) {
      if (std::ranges::find(order, path) == order.end()) order.push_back(path);
    }
    return order;
  };
  const SearchResponse ranks = Ask(FusionMethod::kDefault);
  const std::vector<std::string> orders[] = {order_by(ranks, &HitExplain::lexical_rank),
                                             order_by(ranks, &HitExplain::semantic_rank)};
  ASSERT_GT(orders[0].size(), 60u);
  for (const size_t depth : {size_t{1}, size_t{50}}) {
    std::map<std::string, double> expected;
    for (const std::vector<std::string>& order : orders) {
      for (size_t i = 0; i < std::min(depth, order.size()); ++i) {
        expected[order[i]] += 61 / 2.0 / static_cast<double>(61 + i);
      }
    }
    SearchRequest request;
    request.text = "alpha memory index";
    request.ranking.fusion = FusionMethod::kReciprocalRank;
    request.ranking.leg_depth = depth;
    request.k = 1000;
    for (const char* const stages : {"", "mmr:lambda=1"}) {
      request.ranking.stages = stages;
      const SearchResponse found = Search(request);
      ASSERT_EQ(found.hits.size(), expected.size());
      EXPECT_EQ(found.total_hits, static_cast<int64_t>(expected.size()));
      for (const SearchHit& hit : found.hits) {
        EXPECT_NEAR(hit.score, expected.at(hit.doc.path), 1e-12);
      }
    }
  }
}

TEST_F(FusionMethodsTest, WeightedFusionIsTheMeanOfWhatTheRetrieversPrint) {
  FillStore();
  const SearchHit best = Ask(FusionMethod::kDefault, SearchMode::kLexical).hits.front();
  const double score_upper_bound = *best.explain->lexical / best.score;
  for (const bool own : {false, true}) {
    if (own) weights_ = FusionWeights{3, 1};
    const double share = own ? .75 : .5;
    ExpectScores(Ask(FusionMethod::kWeighted),
                 ScoresBy(Ask(FusionMethod::kDefault), [&](const HitExplain& explain) {
                   return share * *explain.lexical / score_upper_bound +
                          (1 - share) * std::max(*explain.semantic, 0.0);
                 }));
  }
}

// The order of `legs` is that of the default before reranking, which --explain tells.
TEST_F(FusionMethodsTest, LegsIsTheDefaultWithoutReranking) {
  FillStore();
  const SearchResponse fused = Ask(FusionMethod::kWithoutReranking);
  std::map<std::string, size_t> rank;
  for (size_t i = 0; i < fused.hits.size(); ++i) {
    rank[fused.hits[i].chunk.id] = i + 1;
    EXPECT_FALSE(fused.hits[i].explain->ngrams);
    if (i > 0) {
      EXPECT_LE(fused.hits[i].score, fused.hits[i - 1].score);
    }
  }
  const SearchResponse reranked = Ask(FusionMethod::kDefault);
  size_t compared = 0;
  bool moved = false;
  for (size_t i = 0; i < reranked.hits.size(); ++i) {
    const auto& first_stage = reranked.hits[i].explain->first_stage_rank;
    if (!first_stage) continue;
    const std::string& id = reranked.hits[i].chunk.id;
    ASSERT_TRUE(rank.contains(id));
    EXPECT_EQ(static_cast<int64_t>(rank[id]), *first_stage) << id;
    moved |= rank[id] != i + 1;
    ++compared;
  }
  EXPECT_GE(compared, 100u);
  EXPECT_TRUE(moved);
  EXPECT_EQ(fused.explain->fusion, FusionMethod::kWithoutReranking);
}

TEST_F(FusionMethodsTest, OneRetrieverHasNothingToFuse) {
  FillStore();
  for (const SearchMode mode : {SearchMode::kLexical, SearchMode::kSemantic}) {
    const SearchResponse plain = Ask(FusionMethod::kDefault, mode);
    for (const FusionMethod fusion : {FusionMethod::kWeighted, FusionMethod::kReciprocalRank}) {
      const SearchResponse found = Ask(fusion, mode);
      EXPECT_EQ(found.explain->fusion, FusionMethod::kDefault);
      ASSERT_EQ(found.hits.size(), plain.hits.size());
      for (size_t i = 0; i < found.hits.size(); ++i) {
        EXPECT_EQ(found.hits[i].chunk.id, plain.hits[i].chunk.id);
        EXPECT_EQ(found.hits[i].score, plain.hits[i].score);
      }
    }
  }
}

TEST_F(FusionMethodsTest, PagesOfAnySizeAreTheOneRanking) {
  FillStore();
  for (const FusionMethod fusion : {FusionMethod::kWeighted, FusionMethod::kReciprocalRank}) {
    const std::vector<SearchHit> whole = Ask(fusion).hits;
    SearchRequest request;
    request.text = "alpha memory index";
    request.ranking.fusion = fusion;
    request.k = 43;
    for (request.offset = 0; request.offset < whole.size(); request.offset += request.k) {
      const SearchResponse page = Search(request);
      ASSERT_EQ(page.hits.size(), std::min(request.k, whole.size() - request.offset));
      for (size_t i = 0; i < page.hits.size(); ++i) {
        EXPECT_EQ(page.hits[i].chunk.id, whole[request.offset + i].chunk.id);
        EXPECT_EQ(page.hits[i].score, whole[request.offset + i].score);
      }
    }
  }
}

}  // namespace
}  // namespace recall
