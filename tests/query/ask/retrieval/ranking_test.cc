// The reranking window, the minimum score and explain, for a store in memory.

#include "query/ask/retrieval/ranking.h"

#include <gtest/gtest.h>

#include <set>

#include "query/ask/retrieval/rank_explainer.h"
#include "tests/query/ask/retrieval/fake_snapshot.h"
#include "tests/query/ask/retrieval/local_dependencies.h"
#include "tests/test_util.h"

namespace recall {
namespace {

class RankingTest : public ::testing::Test {
 protected:
  void Fill(uint32_t count, uint32_t every, uint64_t seed) {
    chunks_ = RandomChunks(count, every, seed);
    snapshot_ = std::make_unique<FakeSnapshot>(chunks_);
  }

  Result<FusedRanking> Fuse(FusionMethod fusion = FusionMethod::kDefault) {
    FusedRanking ranking;
    ranking.snapshot = snapshot_.get();
    ranking.plan = FakePlan(chunks_, fusion);
    RECALL_ASSIGN(ranking.hits, RunRetrievers(*ranking.plan));
    RECALL_ASSIGN(ranking.pool, MakeCandidatePool(*ranking.plan, ranking.hits));
    if (fusion == FusionMethod::kReciprocalRank) {
      RECALL_ASSIGN(ranking.reciprocal, RankReciprocally(*ranking.plan, ranking.hits));
    } else if (fusion == FusionMethod::kDefault) {
      RECALL_ASSIGN(ranking.window,
                    RerankWindow(*snapshot_, *ranking.plan, ranking.hits, ranking.pool));
    }
    return ranking;
  }

  Result<Ranking> Cut(FusedRanking fused, double min_score) {
    RankingCut cut;
    cut.min_score = min_score;
    return Ranking::Make(std::move(fused), deps_.deps(), request_, cut);
  }

  LocalDependencies deps_;
  FakeChunks chunks_;
  std::unique_ptr<FakeSnapshot> snapshot_;
  SearchRequest request_;
};

TEST_F(RankingTest, TheWindowIsTheBestOfThePoolAndNothingBehindItScoresAsMuch) {
  for (const uint32_t every :
       {1, 4}) {  // with 1, the matches are ten times as many as the pool has
    SCOPED_TRACE(every);
    Fill(3000, every, 11);
    ASSERT_OK_AND_ASSIGN(const FusedRanking fused, Fuse());
    ASSERT_TRUE(fused.window);
    std::vector<ScoredChunk> pool =
        FuseCandidates(fused.pool.candidates, fused.pool.scale, kWindowSize);
    pool.resize(kWindowSize);
    std::set<uint32_t> window;
    for (size_t i = 0; i < kWindowSize; ++i) {
      EXPECT_EQ(fused.window->first_stage_order[i], pool[i].candidate.chunk);
      window.insert(pool[i].candidate.chunk);
    }
    ASSERT_OK_AND_ASSIGN(const auto first_stage,
                         RankFirstStage(*fused.plan, fused.hits, fused.pool, 600));
    ASSERT_OK_AND_ASSIGN(const auto best, fused.Best(600));
    ASSERT_GE(best.size(), 600u);
    std::set<uint32_t> first;
    for (size_t i = 0; i < kWindowSize; ++i) first.insert(best[i].candidate.chunk);
    EXPECT_EQ(first, window);
    EXPECT_LT(best[kWindowSize].score, best[kWindowSize - 1].score);
    size_t place = kWindowSize;
    for (const ScoredChunk& scored : first_stage) {
      if (window.contains(scored.candidate.chunk)) continue;
      ASSERT_LT(place, best.size());
      EXPECT_EQ(best[place++].candidate.chunk, scored.candidate.chunk);
    }
    EXPECT_EQ(place, best.size());
    EXPECT_TRUE(std::ranges::is_sorted(best, ComesBefore));
  }
}

TEST_F(RankingTest, NoCallChangesAnother) {
  Fill(3000, 4, 12);
  for (const FusionMethod fusion :
       {FusionMethod::kDefault, FusionMethod::kWeighted, FusionMethod::kReciprocalRank}) {
    ASSERT_OK_AND_ASSIGN(FusedRanking fused, Fuse(fusion));
    ASSERT_OK_AND_ASSIGN(const Ranking ranking, Cut(std::move(fused), 0));
    ASSERT_OK_AND_ASSIGN(const auto whole, ranking.Best(100'000));
    EXPECT_EQ(ranking.total_hits(), static_cast<int64_t>(whole.size()));
    for (const size_t count : {2000u, 1u, 150u, 99u}) {
      ASSERT_OK_AND_ASSIGN(const auto best, ranking.Best(count));
      const size_t expected = std::min<size_t>(count, whole.size());
      ASSERT_GE(best.size(), expected);
      for (size_t i = 0; i < expected; ++i) {
        ASSERT_EQ(best[i].candidate.chunk, whole[i].candidate.chunk);
        ASSERT_EQ(best[i].score, whole[i].score);
      }
    }
  }
}

TEST_F(RankingTest, TheMinimumScoreCutsTheRankingAndItsTotal) {
  Fill(1500, 3, 13);
  for (const FusionMethod fusion :
       {FusionMethod::kDefault, FusionMethod::kWeighted, FusionMethod::kReciprocalRank}) {
    ASSERT_OK_AND_ASSIGN(FusedRanking fused, Fuse(fusion));
    ASSERT_OK_AND_ASSIGN(const auto whole, fused.Best(100'000));
    const double least = whole[250].score;
    const auto kept = std::ranges::count_if(
        whole, [&](const ScoredChunk& scored) { return scored.score >= least; });
    ASSERT_OK_AND_ASSIGN(const Ranking ranking, Cut(std::move(fused), least));
    EXPECT_EQ(ranking.total_hits(), kept);
    EXPECT_FALSE(ranking.total_is_lower_bound());
    ASSERT_OK_AND_ASSIGN(const auto all, ranking.Best(100'000));
    EXPECT_EQ(static_cast<int64_t>(all.size()), kept);
    ASSERT_OK_AND_ASSIGN(const Bitmap members, ranking.Members());
    EXPECT_EQ(static_cast<int64_t>(members.Count()), kept);
    for (const auto& [chunk, cosine] : chunks_.cosines) {
      ASSERT_EQ(ranking.IsMember(chunk), members.Contains(chunk)) << chunk;
    }
  }
}

TEST_F(RankingTest, TellsMembersOneByOne) {
  Fill(1500, 3, 13);
  for (const FusionMethod fusion : {FusionMethod::kDefault, FusionMethod::kReciprocalRank}) {
    ASSERT_OK_AND_ASSIGN(const FusedRanking fused, Fuse(fusion));
    ASSERT_OK_AND_ASSIGN(const Bitmap members, fused.Members());
    for (const auto& [chunk, cosine] : chunks_.cosines) {
      ASSERT_EQ(fused.IsMember(chunk), members.Contains(chunk)) << chunk;
    }
  }
}

// In a store that fits into the window, chunks that no retriever proposes are reranked, too.
// Without character n-grams none of them becomes a result.
TEST_F(RankingTest, AnEmptyRankingHasNoWindow) {
  chunks_.cosines = {{1, -0.5}, {2, 0.01}};
  snapshot_ = std::make_unique<FakeSnapshot>(chunks_);
  ASSERT_OK_AND_ASSIGN(const FusedRanking fused, Fuse());
  ASSERT_TRUE(fused.window);
  EXPECT_TRUE(fused.window->reranking.ranking.empty());
  EXPECT_TRUE(fused.window->unproposed.Empty());
  EXPECT_EQ(fused.member_count(), 0);
  ASSERT_OK_AND_ASSIGN(const auto best, fused.Best(10));
  EXPECT_TRUE(best.empty());
}

// The ranks are the same whether they are counted for one hit or looked up in the complete order.
TEST_F(RankingTest, RanksOfManyExplanationsAreThoseOfTheFirst) {
  Fill(2500, 2, 14);
  for (const FusionMethod fusion : {FusionMethod::kDefault, FusionMethod::kReciprocalRank}) {
    ASSERT_OK_AND_ASSIGN(FusedRanking fused, Fuse(fusion));
    ASSERT_OK_AND_ASSIGN(const Ranking ranking, Cut(std::move(fused), 0));
    ASSERT_OK_AND_ASSIGN(const auto best, ranking.Best(120));
    RankExplainer many(ranking);
    for (const ScoredChunk& scored : best) {
      RankExplainer once(ranking);
      ASSERT_OK_AND_ASSIGN(const HitExplain expected, once.Explain(scored));
      ASSERT_OK_AND_ASSIGN(const HitExplain explain, many.Explain(scored));
      ASSERT_EQ(explain.lexical_rank, expected.lexical_rank);
      ASSERT_EQ(explain.semantic_rank, expected.semantic_rank);
      ASSERT_EQ(explain.parts.Sum(), scored.parts.Sum());
    }
  }
}

}  // namespace
}  // namespace recall
