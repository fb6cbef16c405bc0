#include "query/ask/ranking/rerank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "query/ask/ranking/semantic_confidence.h"

namespace recall {
namespace {

constexpr size_t kRerankDim = 64;
using Values = std::vector<double>;

Values Unit(Values vector) {
  const double length =
      std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
  for (double& value : vector) value /= length;
  return vector;
}

double Dot(const Values& a, const Values& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Items with random features, and the owner of their vectors.
struct RerankCase {
  std::vector<QuantizedVector> vectors;
  std::vector<RerankItem> items;
  VectorQuery query;
  VectorSpace space{kRerankDim, 7};

  Values ItemVector(size_t i) const {
    Values vector;
    for (const int8_t value : vectors[i].values) vector.push_back(value * vectors[i].scale);
    return vector;
  }
  Values QueryVector() const {
    Values vector;
    for (const int16_t value : query.values) vector.push_back(value * query.scale);
    return vector;
  }
};

RerankCase MakeCase(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto number = [&] { return static_cast<double>(random() % 2001) / 1000 - 1; };
  const auto vector = [&] {
    std::vector<float> values(kRerankDim);
    for (float& value : values) value = static_cast<float>(number());
    return values;
  };
  RerankCase made;
  made.query = made.space.PrepareQuery(vector());
  for (size_t i = 0; i < count; ++i) made.vectors.push_back(made.space.Quantize(vector()));
  for (size_t i = 0; i < count; ++i) {
    RerankItem item;
    item.candidate = {static_cast<uint32_t>(i * 3), std::max(number() * 9, 0.0), 0};
    item.candidate.semantic = Dot(made.QueryVector(), made.ItemVector(i));
    item.ngrams = std::max(number() * 20, 0.0);
    item.vector_scale = made.vectors[i].scale;
    item.vector = made.vectors[i].values;
    made.items.push_back(item);
  }
  return made;
}

Values RelativeToMaximum(Values values) {
  const double maximum = *std::ranges::max_element(values);
  for (double& value : values) value = maximum > 0 ? std::max(value, 0.0) / maximum : 0;
  return values;
}

// The formula of docs/RETRIEVAL.md, "Second stage", with matrices: the scores before calibration.
Values Reference(const RerankCase& made, const RerankOptions& options) {
  const size_t n = made.items.size();
  std::vector<Values> d;
  Values lexical(n), ngrams(n), cosines(n);
  for (size_t i = 0; i < n; ++i) {
    d.push_back(made.ItemVector(i));
    lexical[i] = made.items[i].candidate.lexical;
    ngrams[i] = made.items[i].ngrams.value_or(0);
    cosines[i] = made.items[i].candidate.semantic;
  }
  const double total = options.lexical_weight + options.ngram_weight + options.semantic_weight;
  const auto combine = [&] {
    const Values l = RelativeToMaximum(lexical);
    const Values c = RelativeToMaximum(ngrams);
    const Values s = RelativeToMaximum(cosines);
    Values h(n);
    for (size_t i = 0; i < n; ++i) {
      h[i] = (options.lexical_weight * l[i] + options.ngram_weight * c[i] +
              options.semantic_weight * s[i]) /
             total;
    }
    return h;
  };
  Values h = combine();
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, [&](size_t a, size_t b) { return h[a] > h[b]; });
  Values f(kRerankDim);
  for (size_t r = 0; r < std::min<size_t>(5, n); ++r) {
    for (size_t k = 0; k < kRerankDim; ++k) f[k] += h[order[r]] * d[order[r]][k];
  }
  f = Unit(f);
  Values q = made.QueryVector();
  for (size_t k = 0; k < kRerankDim; ++k) q[k] += options.feedback * f[k];
  q = Unit(q);
  for (size_t i = 0; i < n; ++i) cosines[i] = std::max(Dot(q, d[i]), .01 * cosines[i]);
  h = combine();
  Values scores(n);
  for (size_t i = 0; i < n; ++i) {
    std::vector<std::pair<double, size_t>> near;
    for (size_t j = 0; j < n; ++j) {
      if (j != i) near.emplace_back(-std::max(Dot(d[i], d[j]), 0.0), j);
    }
    std::ranges::sort(near);
    double weights = 0, sum = 0;
    for (size_t r = 0; r < std::min<size_t>(5, near.size()); ++r) {
      weights -= near[r].first;
      sum -= near[r].first * h[near[r].second];
    }
    scores[i] =
        (1 - options.smoothing) * h[i] + (weights > 0 ? options.smoothing * sum / weights : 0);
  }
  return scores;
}

TEST(RerankTest, FollowsTheFormula) {
  const RerankOptions options{.lexical_weight = .4,
                              .ngram_weight = .4,
                              .semantic_weight = .2,
                              .lexical_upper_bound = 12,
                              .ngram_upper_bound = 30,
                              .smoothing = .2};
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const RerankCase made = MakeCase(6 + seed * 3, seed);
    const Values expected = Reference(made, options);
    const Reranking result = Rerank(made.items, made.query, options, FindNeighbours(made.items));
    ASSERT_EQ(result.ranking.size(), made.items.size());
    EXPECT_EQ(result.feedback.size(), 5u);
    double before = 2;
    for (const ScoredChunk& fused : result.ranking) {
      const size_t i = fused.candidate.chunk / 3;
      EXPECT_NEAR(fused.parts.Sum(), expected[i], 1e-6) << seed << ' ' << i;
      EXPECT_DOUBLE_EQ(fused.score, fused.parts.Sum() * result.calibration);
      EXPECT_LE(fused.score, before);
      EXPECT_EQ(fused.candidate.semantic, made.items[i].candidate.semantic);
      before = fused.score;
    }
  }
}

TEST(RerankTest, TheBestScoreIsAbsoluteEvidence) {
  RerankItem strong;
  strong.candidate = {1, 6, 0};
  strong.ngrams = 10;
  RerankItem weak;
  weak.candidate = {2, 3, 0};
  weak.ngrams = 0;
  const RerankItem items[] = {strong, weak};
  const RerankOptions options{.lexical_weight = 1,
                              .ngram_weight = 1,
                              .semantic_weight = 0,
                              .lexical_upper_bound = 12,
                              .ngram_upper_bound = 40};
  const Reranking result = Rerank(items, VectorQuery(), options, {});
  ASSERT_EQ(result.ranking.size(), 2u);
  // .5 * 6/12 + .5 * 10/40
  EXPECT_DOUBLE_EQ(result.ranking[0].score, .375);
  // Relative: .5 * 3/6, compared with 1.
  EXPECT_DOUBLE_EQ(result.ranking[1].score, .375 / 4);
}

// Feedback moves the query, but no result of the first stage is dropped.
TEST(RerankTest, FeedbackRemovesNoMember) {
  const VectorSpace space(kRerankDim, 7);
  std::vector<float> axis(kRerankDim);
  axis[0] = 1;
  std::vector<float> opposite(kRerankDim);
  opposite[0] = -1;
  opposite[1] = .2F;
  const QuantizedVector best = space.Quantize(axis);
  const QuantizedVector other = space.Quantize(opposite);
  std::vector<float> asked(kRerankDim);
  asked[1] = 1;
  RerankItem words;
  words.candidate = {1, 5, 0};
  words.vector_scale = best.scale;
  words.vector = best.values;
  RerankItem meaning;
  meaning.candidate = {2, 0, .19};
  meaning.vector_scale = other.scale;
  meaning.vector = other.values;
  const RerankItem items[] = {words, meaning};
  const Reranking result =
      Rerank(items, space.PrepareQuery(asked),
             {.lexical_weight = .8, .semantic_weight = .2, .lexical_upper_bound = 9}, {});
  ASSERT_EQ(result.ranking.size(), 2u);
  EXPECT_GT(result.ranking[1].score, 0);
}

TEST(RerankTest, WithoutVectorsOrEvidenceItIsDefined) {
  const RerankOptions options{
      .lexical_weight = .4, .ngram_weight = .4, .semantic_weight = .2, .smoothing = .2};
  EXPECT_TRUE(Rerank({}, VectorQuery(), options, FindNeighbours({})).ranking.empty());
  RerankItem nothing;
  nothing.candidate = {7, 0, 0};
  const std::span one(&nothing, 1);
  EXPECT_TRUE(Rerank(one, VectorQuery(), options, FindNeighbours(one)).ranking.empty());
}

TEST(SemanticConfidenceTest, NoiseIsNotBelieved) {
  std::mt19937_64 random(11);
  double sum = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<double> cosines(200);
    for (double& cosine : cosines) cosine = static_cast<double>(random() % 1000) / 1000;
    sum += SemanticConfidence(cosines);
  }
  EXPECT_LT(sum / 200, .15);
}

TEST(SemanticConfidenceTest, VectorsThatAgreeWithTheWordsAre) {
  std::mt19937_64 random(11);
  std::vector<double> cosines(200);
  for (size_t i = 0; i < cosines.size(); ++i) {
    cosines[i] = static_cast<double>(random() % 1000) / 1000 + (i < 10 ? 1 : 0);
  }
  EXPECT_EQ(SemanticConfidence(cosines), 1);
  for (double& cosine : cosines) cosine = -cosine;
  EXPECT_EQ(SemanticConfidence(cosines), .05);
  EXPECT_EQ(SemanticConfidence(std::vector<double>(200, .5)), .05);  // all cosines are equal
  EXPECT_EQ(SemanticConfidence(std::vector<double>(19, .5)), 1);     // too few to compare
}

}  // namespace
}  // namespace recall
