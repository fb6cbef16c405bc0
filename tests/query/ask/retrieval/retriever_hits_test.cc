#include "query/ask/retrieval/retriever_hits.h"

#include <gtest/gtest.h>

#include "tests/query/ask/retrieval/fake_snapshot.h"
#include "tests/test_util.h"

namespace recall {
namespace {

std::vector<uint32_t> ChunksOf(const std::vector<RetrieverHit>& hits) {
  std::vector<uint32_t> chunks;
  for (const RetrieverHit& hit : hits) chunks.push_back(hit.chunk);
  return chunks;
}

TEST(RetrieverHitsTest, SemanticHitsExceedTheNoiseFloor) {
  FakeChunks chunks;
  chunks.cosines = {{1, 0.5}, {2, 0.0625}, {3, 0.07}, {4, -0.5}};
  const auto plan = FakePlan(chunks);
  ASSERT_OK_AND_ASSIGN(const RetrieverHits hits, RunRetrievers(*plan));
  EXPECT_EQ(ChunksOf(hits.semantic), (std::vector<uint32_t>{1, 3}));
  EXPECT_FALSE(hits.semantic_cut);
  EXPECT_EQ(hits.semantic_floor, 0.0625);
}

TEST(RetrieverHitsTest, ALongSemanticListIsCutAtItsLeastCosine) {
  FakeChunks chunks;
  for (uint32_t chunk = 1; chunk <= 3000; ++chunk) chunks.cosines[chunk] = 0.1 + chunk / 8192.0;
  const auto plan = FakePlan(chunks);
  ASSERT_OK_AND_ASSIGN(const RetrieverHits hits, RunRetrievers(*plan));
  EXPECT_EQ(hits.semantic.size(), 1000u);
  EXPECT_EQ(hits.semantic.front().chunk, 2001u);  // ordered by chunk rowid
  EXPECT_TRUE(hits.semantic_cut);
  EXPECT_EQ(hits.semantic_floor, hits.semantic.front().score);

  const auto exact = FakePlan(chunks);
  exact->exact = true;
  ASSERT_OK_AND_ASSIGN(const RetrieverHits all, RunRetrievers(*exact));
  EXPECT_EQ(all.semantic.size(), 3000u);
  EXPECT_FALSE(all.semantic_cut);
}

// The semantic retriever applies +must and -not clauses as well as the filter.
TEST(RetrieverHitsTest, OperatorsBindTheSemanticRetriever) {
  FakeChunks chunks = RandomChunks(500, 3, 1);
  for (auto& [chunk, cosine] : chunks.cosines) cosine = 0.5;
  chunks.has_must = true;
  chunks.excluded = {6, 7, 8, 9};
  Bitmap allowed;
  allowed.AddRange(5, 300);
  const auto plan = FakePlan(chunks);
  plan->allowed = &allowed;
  ASSERT_OK_AND_ASSIGN(const RetrieverHits hits, RunRetrievers(*plan));
  ASSERT_OK_AND_ASSIGN(const Bitmap matches, hits.lexical->Matches());
  EXPECT_EQ(ChunksOf(hits.semantic), matches.Values());

  chunks.has_must = false;
  ASSERT_OK_AND_ASSIGN(const RetrieverHits excluded, RunRetrievers(*plan));
  EXPECT_EQ(excluded.semantic.size(), 296u - 4u);
  EXPECT_EQ(excluded.FindSemantic(7), nullptr);
  EXPECT_NE(excluded.FindSemantic(10), nullptr);
}

TEST(RetrieverHitsTest, OperatorsBindASearchByVectorsAlone) {
  FakeChunks chunks = RandomChunks(500, 3, 1);
  for (auto& [chunk, cosine] : chunks.cosines) cosine = 0.5;
  chunks.has_must = true;
  const auto plan = FakePlan(chunks);
  ASSERT_OK_AND_ASSIGN(const RetrieverHits both, RunRetrievers(*plan));
  plan->lexical = false;
  plan->query.clauses.emplace_back().occur = LexicalClause::Occur::kMust;
  ASSERT_OK_AND_ASSIGN(const RetrieverHits hits, RunRetrievers(*plan));
  EXPECT_EQ(hits.lexical, nullptr);
  EXPECT_EQ(ChunksOf(hits.semantic), ChunksOf(both.semantic));
  EXPECT_LT(hits.semantic.size(), chunks.cosines.size());
}

TEST(RetrieverHitsTest, TheHitsAreTheSameInParallel) {
  const FakeChunks chunks = RandomChunks(2500, 4, 2);
  const auto plan = FakePlan(chunks);
  ASSERT_OK_AND_ASSIGN(const RetrieverHits in_turn, RunRetrievers(*plan));
  plan->threads = 2;
  plan->parallel = true;
  ASSERT_OK_AND_ASSIGN(const RetrieverHits parallel, RunRetrievers(*plan));
  EXPECT_EQ(ChunksOf(in_turn.semantic), ChunksOf(parallel.semantic));
  EXPECT_EQ(in_turn.matches(), parallel.matches());
  EXPECT_EQ(in_turn.semantic_floor, parallel.semantic_floor);
}

TEST(RetrieverHitsTest, ARetrieverThatDidNotRunHasNoHits) {
  const FakeChunks chunks = RandomChunks(50, 2, 3);
  const auto plan = FakePlan(chunks);
  plan->lexical = false;
  ASSERT_OK_AND_ASSIGN(const RetrieverHits hits, RunRetrievers(*plan));
  EXPECT_EQ(hits.matches(), 0u);
  ASSERT_OK_AND_ASSIGN(const auto top, hits.TopLexical(10));
  EXPECT_TRUE(top.empty());
  const uint32_t chunk = 3;
  ASSERT_OK_AND_ASSIGN(const auto scores, hits.LexicalScores({&chunk, 1}));
  EXPECT_EQ(scores, std::vector<double>{0});
  ASSERT_OK_AND_ASSIGN(const int64_t proposed, CountProposed(hits));
  EXPECT_EQ(proposed, static_cast<int64_t>(hits.semantic.size()));
}

}  // namespace
}  // namespace recall
