#include "query/ask/retrieval/retrieval_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/query/ask/retrieval/local_dependencies.h"

namespace recall {
namespace {

using Plan = Result<std::unique_ptr<const RetrievalPlan>>;

Plan MakePlan(const LocalDependencies& store, const SearchRequest& request,
              const SynthesizedQuery* made = nullptr) {
  return MakeRetrievalPlan(store.snapshot(), store.deps(), request, nullptr, made);
}

TEST(RetrievalPlanTest, TheModeChoosesTheRetrieversAndOneNeedsNoFusion) {
  const LocalDependencies store;
  SearchRequest request;
  request.text = "alpha beta";
  request.ranking.fusion = FusionMethod::kReciprocalRank;
  ASSERT_OK_AND_ASSIGN(const auto hybrid, MakePlan(store, request));
  EXPECT_TRUE(hybrid->hybrid());
  EXPECT_EQ(hybrid->fusion, FusionMethod::kReciprocalRank);
  EXPECT_EQ(hybrid->query.clauses.size(), 2u);
  EXPECT_FALSE(hybrid->vector.zero);
  EXPECT_FLOAT_EQ(hybrid->noise_floor, 3 / std::sqrt(8.0f));  // that of the hash embedder
  EXPECT_FALSE(hybrid->parallel);

  request.mode = SearchMode::kLexical;
  ASSERT_OK_AND_ASSIGN(const auto lexical, MakePlan(store, request));
  EXPECT_FALSE(lexical->semantic);
  EXPECT_EQ(lexical->fusion, FusionMethod::kDefault);

  request.mode = SearchMode::kSemantic;
  ASSERT_OK_AND_ASSIGN(const auto semantic, MakePlan(store, request));
  EXPECT_FALSE(semantic->lexical);
  EXPECT_EQ(semantic->noise_floor, 0);
}

TEST(RetrievalPlanTest, RetrieversRunInParallelUnlessTheQueryHasOperators) {
  const LocalDependencies store;
  SearchRequest request;
  request.text = "alpha beta";
  request.threads = 2;
  request.chunks_per_retriever = 0;
  ASSERT_OK_AND_ASSIGN(const auto plain, MakePlan(store, request));
  EXPECT_TRUE(plain->parallel);
  request.text = "alpha -beta";
  ASSERT_OK_AND_ASSIGN(const auto operators, MakePlan(store, request));
  EXPECT_FALSE(operators->parallel);
  request.lexical_mode = LexicalMode::kLiteral;
  ASSERT_OK_AND_ASSIGN(const auto literal, MakePlan(store, request));
  EXPECT_TRUE(literal->parallel);
}

TEST(RetrievalPlanTest, LargeSelectionsHaveAThousandSemanticHits) {
  const LocalDependencies store;
  ASSERT_OK_AND_ASSIGN(const auto plan, MakePlan(store, {}));
  Bitmap selection;
  selection.AddRange(1, 2000);
  EXPECT_EQ(plan->MostSemanticHits(&selection), std::numeric_limits<size_t>::max());
  selection.Add(2001);
  EXPECT_EQ(plan->MostSemanticHits(&selection), 1000u);
}

TEST(RetrievalPlanTest, ASynthesizedQueryReplacesTheTextAndHidesItsOwnChunks) {
  const LocalDependencies store;
  SearchRequest request;
  request.text = "alpha";
  SynthesizedQuery made;
  made.words.wanted = "beta";
  made.unseen.Add(7);
  ASSERT_OK_AND_ASSIGN(const auto plan, MakePlan(store, request, &made));
  EXPECT_EQ(plan->query.wanted, "beta");
  EXPECT_FALSE(plan->filter().Passes(7));
  EXPECT_TRUE(plan->filter().Passes(8));
}

void ExpectRefused(const Plan& plan, std::string_view message) {
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(plan.error().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(plan.error().message().find(message), std::string_view::npos)
      << plan.error().ToString();
}

TEST(RetrievalPlanTest, AnEmbeddingMustFitTheStoreAndTheMode) {
  SearchRequest request;
  request.text = "alpha";
  request.ranking.embedding = {1, 2, 3, 4, 5, 6, 7, 8};
  ExpectRefused(MakePlan(LocalDependencies("hash"), request), "with its embedder, hash");
  const LocalDependencies given("given");
  ASSERT_OK_AND_ASSIGN(const auto plan, MakePlan(given, request));
  EXPECT_FALSE(plan->vector.zero);
  request.ranking.embedding.pop_back();
  ExpectRefused(MakePlan(given, request), "has 7 components");
  request.mode = SearchMode::kLexical;
  ExpectRefused(MakePlan(given, request), "does not use the query embedding");
  request.ranking.embedding.clear();
  request.mode = SearchMode::kSemantic;
  ExpectRefused(MakePlan(given, request), "needs a query embedding");
  request.mode = SearchMode::kHybrid;
  ASSERT_OK_AND_ASSIGN(const auto by_words, MakePlan(given, request));
  EXPECT_EQ(by_words->warnings.size(), 1u);
  EXPECT_TRUE(by_words->vector.zero);
}

}  // namespace
}  // namespace recall
