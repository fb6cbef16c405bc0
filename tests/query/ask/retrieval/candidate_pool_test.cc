// The threshold algorithm, compared with the fusion of all candidates.

#include "query/ask/retrieval/candidate_pool.h"

#include <gtest/gtest.h>

#include "query/ask/ranking/reciprocal_rank.h"
#include "tests/query/ask/retrieval/fake_snapshot.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// All chunks that a retriever proposes, with both scores. The semantic score of a chunk that the
// semantic retriever does not propose is at most the floor.
std::vector<Candidate> AllCandidates(const FakeChunks& chunks, const RetrieverHits& hits) {
  std::vector<Candidate> all;
  for (const auto& [chunk, cosine] : chunks.cosines) {
    const auto match = chunks.bm25.find(chunk);
    const double bm25 = match == chunks.bm25.end() ? 0 : match->second;
    const bool proposed = hits.FindSemantic(chunk) != nullptr;
    if (bm25 == 0 && !proposed) continue;
    all.push_back({chunk, bm25, proposed ? cosine : std::min(cosine, hits.semantic_floor)});
  }
  return all;
}

void ExpectPrefix(const std::vector<ScoredChunk>& ranking, const std::vector<ScoredChunk>& whole,
                  size_t count) {
  ASSERT_GE(ranking.size(), std::min(count, whole.size()));
  ASSERT_LE(ranking.size(), whole.size());
  for (size_t i = 0; i < ranking.size(); ++i) {
    ASSERT_EQ(ranking[i].candidate.chunk, whole[i].candidate.chunk) << i;
    ASSERT_EQ(ranking[i].score, whole[i].score) << i;
  }
  // A pool never ends between equal scores.
  if (ranking.size() < whole.size() && !ranking.empty() && ranking.size() == count) {
    EXPECT_LT(whole[ranking.size()].score, ranking.back().score);
  }
}

TEST(CandidatePoolTest, TheFirstPlacesAreThoseOfTheWholeRanking) {
  for (const uint32_t every : {1u, 3u, 40u}) {
    const FakeChunks chunks = RandomChunks(6000, every, every);
    for (const FusionMethod fusion : {FusionMethod::kDefault, FusionMethod::kWeighted}) {
      const auto plan = FakePlan(chunks, fusion);
      ASSERT_OK_AND_ASSIGN(const RetrieverHits hits, RunRetrievers(*plan));
      ASSERT_OK_AND_ASSIGN(const CandidatePool pool, MakeCandidatePool(*plan, hits));
      const std::vector<Candidate> all = AllCandidates(chunks, hits);
      EXPECT_EQ(pool.proposed, static_cast<int64_t>(all.size()));
      const std::vector<ScoredChunk> whole = FuseCandidates(all, pool.scale);
      for (const size_t count : {1u, 8u, 100u, 200u, 201u, 900u, 2000u, 7000u}) {
        SCOPED_TRACE(count);
        ASSERT_OK_AND_ASSIGN(const auto ranking, RankFirstStage(*plan, hits, pool, count));
        ExpectPrefix(ranking, whole, count);
      }
    }
  }
}

TEST(CandidatePoolTest, OneRetrieverRanksByItsOwnScore) {
  const FakeChunks chunks = RandomChunks(800, 2, 5);
  const auto plan = FakePlan(chunks);
  plan->semantic = false;
  ASSERT_OK_AND_ASSIGN(const RetrieverHits hits, RunRetrievers(*plan));
  ASSERT_OK_AND_ASSIGN(const CandidatePool pool, MakeCandidatePool(*plan, hits));
  ASSERT_OK_AND_ASSIGN(const auto ranking, RankFirstStage(*plan, hits, pool, 50));
  ASSERT_OK_AND_ASSIGN(const auto top, hits.TopLexical(50));
  ASSERT_GE(ranking.size(), top.size());
  for (size_t i = 0; i < top.size(); ++i) {
    EXPECT_EQ(ranking[i].candidate.chunk, top[i].chunk);
    EXPECT_DOUBLE_EQ(ranking[i].score, top[i].score / chunks.upper_bound);
  }
}

TEST(CandidatePoolTest, ReciprocalRanksAreThoseOfTheRetrievers) {
  const FakeChunks chunks = RandomChunks(700, 3, 6);
  const auto plan = FakePlan(chunks, FusionMethod::kReciprocalRank);
  ASSERT_OK_AND_ASSIGN(const RetrieverHits hits, RunRetrievers(*plan));
  ASSERT_OK_AND_ASSIGN(const ReciprocalRanking ranking, RankReciprocally(*plan, hits));
  EXPECT_EQ(ranking.ranking.size(), AllCandidates(chunks, hits).size());
  for (const ScoredChunk& scored : ranking.ranking) {
    const uint32_t chunk = scored.candidate.chunk;
    size_t lexical = 0;
    if (chunks.bm25.contains(chunk)) {
      ASSERT_OK_AND_ASSIGN(lexical, hits.lexical->Rank({chunk, chunks.bm25.at(chunk)}));
    }
    size_t semantic = 0;
    if (const RetrieverHit* const hit = hits.FindSemantic(chunk)) {
      semantic = 1;
      for (const RetrieverHit& other : hits.semantic) semantic += IsBetter(other, *hit) ? 1 : 0;
    }
    EXPECT_EQ(scored.score, FuseReciprocalRanks(scored.candidate, lexical, semantic).score);
  }
  EXPECT_TRUE(std::ranges::is_sorted(ranking.ranking, ComesBefore));
}

TEST(CandidatePoolTest, RanksGoByScoreThenChunk) {
  EXPECT_EQ(RanksOf({{1, 0.5}, {2, 0.9}, {3, 0.5}}), (std::vector<uint32_t>{2, 1, 3}));
  EXPECT_EQ(RankIn({{2, 0.9}, {1, 0.5}, {3, 0.5}}, {3, 0.5}), 3);
}

}  // namespace
}  // namespace recall
