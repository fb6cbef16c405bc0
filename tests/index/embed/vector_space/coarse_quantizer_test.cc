#include "index/embed/vector_space/coarse_quantizer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <set>

#include "simd/kernels.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr uint32_t kQuantizerDim = 100;  // padded to 128

int64_t SlowDot(std::span<const int8_t> a, std::span<const int8_t> b) {
  int64_t dot = 0;
  for (size_t i = 0; i < a.size(); ++i) dot += int64_t{a[i]} * b[i];
  return dot;
}

std::vector<int8_t> SomeCentroids(std::mt19937_64& random, uint32_t lists) {
  std::vector<int8_t> centroids(size_t{lists} * kQuantizerDim);
  for (int8_t& value : centroids) value = static_cast<int8_t>(random() % 255 - 127);
  return centroids;
}

// Compares with the largest dot product over all centroids.
TEST(CoarseQuantizerTest, AVectorLiesInTheListOfTheCentroidMostLikeIt) {
  std::mt19937_64 random(TestSeed(1));
  for (const uint32_t lists : {1u, 2u, 77u, 1024u}) {
    std::vector<int8_t> centroids = SomeCentroids(random, lists);
    // Of equal centroids the first is chosen.
    if (lists > 2) std::copy_n(centroids.begin(), kQuantizerDim, centroids.begin() + kQuantizerDim);
    const CoarseQuantizer quantizer(kQuantizerDim, centroids, std::vector<uint32_t>(lists));
    for (int i = 0; i < 50; ++i) {
      const std::vector<int8_t> vector = SomeCentroids(random, 1);
      uint32_t best = 0;
      const auto likeness = [&](uint32_t list) {
        return SlowDot(vector,
                       std::span(centroids).subspan(size_t{list} * kQuantizerDim, kQuantizerDim));
      };
      for (uint32_t list = 1; list < lists; ++list) {
        if (likeness(list) > likeness(best)) best = list;
      }
      for (const std::string& target : SupportedSimdTargets()) {
        ASSERT_TRUE(ForceSimdTarget(target));
        EXPECT_EQ(quantizer.ListOf(vector), best) << target;
      }
      ForceSimdTarget("");
      const std::vector<int16_t> question(vector.begin(), vector.end());
      const std::vector<uint16_t> ranked = quantizer.Rank(question, 1).lists;
      ASSERT_EQ(ranked.size(), lists);
      EXPECT_EQ(ranked.front(), best);
      EXPECT_EQ(std::set(ranked.begin(), ranked.end()).size(), lists);
      for (size_t rank = 1; rank < ranked.size(); ++rank) {
        const int64_t before = likeness(ranked[rank - 1]), here = likeness(ranked[rank]);
        EXPECT_TRUE(before > here || (before == here && ranked[rank - 1] < ranked[rank]));
      }
    }
  }
}

// A loose list may have vectors nearer to the query than a dense list with a nearer centroid.
TEST(CoarseQuantizerTest, ListsAreRankedByTheirReach) {
  std::mt19937_64 random(TestSeed(3));
  constexpr uint32_t kLists = 60;
  // All centroids have one length: components are +-100.
  std::vector<int8_t> centroids(size_t{kLists} * kQuantizerDim);
  for (int8_t& value : centroids) value = random() % 2 == 0 ? int8_t{100} : int8_t{-100};
  std::vector<float> cosines(kLists);
  for (float& cosine : cosines) cosine = static_cast<float>(random() % 1001) / 1000;
  const CoarseQuantizer quantizer(kQuantizerDim, centroids, std::vector<uint32_t>(kLists, 1),
                                  cosines);
  for (int i = 0; i < 30; ++i) {
    const std::vector<int8_t> vector = SomeCentroids(random, 1);
    const std::vector<int16_t> question(vector.begin(), vector.end());
    const double length = std::sqrt(static_cast<double>(SlowDot(vector, vector)));
    const auto reach = [&](uint32_t list) {
      const auto centroid =
          std::span(centroids).subspan(size_t{list} * kQuantizerDim, kQuantizerDim);
      const double s = static_cast<double>(SlowDot(vector, centroid)) / length /
                       std::sqrt(static_cast<double>(SlowDot(centroid, centroid)));
      const double r = cosines[list];
      return s * r + 0.5 * std::sqrt((1 - s * s) * (1 - r * r));
    };
    const auto rank = [&] { return quantizer.Rank(question, static_cast<float>(1 / length)); };
    const CoarseQuantizer::Ranking ranking = rank();
    ASSERT_EQ(ranking.reaches.size(), kLists);
    EXPECT_EQ(std::set(ranking.lists.begin(), ranking.lists.end()).size(), kLists);
    EXPECT_TRUE(std::ranges::is_sorted(ranking.reaches, std::greater<>()));
    for (uint32_t place = 0; place < kLists; ++place) {
      EXPECT_NEAR(ranking.reaches[place], reach(ranking.lists[place]), 1e-5);
    }
    for (const std::string& target : SupportedSimdTargets()) {
      ASSERT_TRUE(ForceSimdTarget(target));
      EXPECT_EQ(rank().lists, ranking.lists) << target;
      EXPECT_EQ(rank().reaches, ranking.reaches) << target;
    }
    ForceSimdTarget("");
  }
}

TEST(CoarseQuantizerTest, FirstListsHoldTheShareAskedFor) {
  const CoarseQuantizer quantizer(1, {1, 2, 3, 4}, {10, 0, 30, 60});
  const std::vector<uint16_t> ranked = {3, 1, 2, 0};
  const auto first = [&](uint64_t numerator, uint64_t denominator) {
    return quantizer.NearestLists(ranked, numerator, denominator).size();
  };
  EXPECT_EQ(first(0, 1), 0u);
  EXPECT_EQ(first(1, 1000), 1u);
  EXPECT_EQ(first(60, 100), 1u);
  EXPECT_EQ(first(61, 100), 3u);
  EXPECT_EQ(first(90, 100), 3u);
  EXPECT_EQ(first(1, 1), 4u);
  EXPECT_EQ(first(5, 1), 4u);
  EXPECT_EQ(first(~uint64_t{0}, ~uint64_t{0}), 4u);
}

TEST(CoarseQuantizerTest, BytesComeBackAndDamageIsNoticed) {
  std::mt19937_64 random(TestSeed(2));
  const std::vector<int8_t> centroids = SomeCentroids(random, 5);
  const std::vector<uint32_t> counts = {1, 2, 3, 4, 5};
  for (const auto& cosines : {std::vector<float>{}, std::vector<float>{0, .25f, .5f, .75f, 1}}) {
    const CoarseQuantizer quantizer(kQuantizerDim, centroids, counts, cosines);
    const std::string bytes = quantizer.bytes();
    ASSERT_OK_AND_ASSIGN(const CoarseQuantizer decoded, CoarseQuantizer::Open(bytes));
    EXPECT_EQ(decoded.bytes(), bytes);
    EXPECT_EQ(decoded.dim(), kQuantizerDim);
    EXPECT_EQ(decoded.list_count(), 5u);
    for (size_t i = 0; i < bytes.size(); ++i) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ 0x41);
      EXPECT_FALSE(CoarseQuantizer::Open(damaged).has_value()) << i;
      EXPECT_FALSE(CoarseQuantizer::Open(bytes.substr(0, i)).has_value()) << i;
    }
    EXPECT_FALSE(CoarseQuantizer::Open(bytes + "x").has_value());
  }
  for (const float wrong : {-.01f, 1.01f, std::numeric_limits<float>::quiet_NaN()}) {
    const CoarseQuantizer quantizer(kQuantizerDim, centroids, counts, {0, 0, wrong, 0, 0});
    EXPECT_FALSE(CoarseQuantizer::Open(quantizer.bytes()).has_value()) << wrong;
  }
}

}  // namespace
}  // namespace recall
