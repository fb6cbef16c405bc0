#include "index/vector_space/coarse_quantizer.h"

#include <set>

#include "simd/kernels.h"
#include "storage/base/bytes.h"
#include "tests/index/vector/vector_test_util.h"

namespace recall {
namespace {

constexpr uint32_t kQuantizerDim = 100;  // padded to 128
const std::atomic<bool> kGoOn = false;

std::vector<QuantizedVector> Sample(const VectorSpace& space, ClusteredVectors source, int count) {
  std::vector<QuantizedVector> sample;
  for (int i = 0; i < count; ++i) sample.push_back(space.Quantize(source.Next()));
  return sample;
}

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
      const std::vector<uint16_t> ranked = quantizer.Rank(question);
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
  const CoarseQuantizer quantizer(kQuantizerDim, SomeCentroids(random, 5), {1, 2, 3, 4, 5});
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

TEST(CoarseTrainingTest, TellsWellSeparatedSubjectsApart) {
  const VectorSpace space(kQuantizerDim, 42);
  constexpr size_t kSubjects = 20;
  const std::vector<QuantizedVector> centroids =
      Sample(space, ClusteredVectors(TestSeed(3), kQuantizerDim, 1, 1.0f), kSubjects);
  // Each vector is a centroid with a little noise.
  std::mt19937_64 random(TestSeed(4));
  std::vector<QuantizedVector> sample;
  std::vector<size_t> subjects;
  for (int i = 0; i < 2000; ++i) {
    subjects.push_back(random() % kSubjects);
    QuantizedVector vector = centroids[subjects.back()];
    for (int8_t& value : vector.values) {
      value = static_cast<int8_t>(
          std::clamp<int>(value + static_cast<int>(random() % 9) - 4, -127, 127));
    }
    vector.scale = UnitScale(vector.values);
    sample.push_back(std::move(vector));
  }
  ASSERT_OK_AND_ASSIGN(const CoarseQuantizer lists,
                       TrainCoarseQuantizer(sample, space, {.lists = 200}, &kGoOn));
  std::map<uint16_t, size_t> subject_of;
  for (size_t i = 0; i < sample.size(); ++i) {
    const auto [entry, _] = subject_of.try_emplace(lists.ListOf(sample[i].values), subjects[i]);
    EXPECT_EQ(entry->second, subjects[i]) << "a cell holds vectors of two subjects";
  }
  EXPECT_GE(subject_of.size(), kSubjects);
}

TEST(CoarseTrainingTest, DependsOnTheVectorsAlone) {
  const VectorSpace space(kQuantizerDim, 42);
  const auto sample = Sample(space, ClusteredVectors(TestSeed(5), kQuantizerDim, 30), 1500);
  ASSERT_OK_AND_ASSIGN(const CoarseQuantizer once,
                       TrainCoarseQuantizer(sample, space, {.lists = 64}, &kGoOn));
  EXPECT_EQ(once.list_count(), 64u);
  for (const std::string& target : SupportedSimdTargets()) {
    ASSERT_TRUE(ForceSimdTarget(target));
    ASSERT_OK_AND_ASSIGN(const CoarseQuantizer again,
                         TrainCoarseQuantizer(sample, space, {.lists = 64, .threads = 3}, &kGoOn));
    EXPECT_EQ(again.bytes(), once.bytes()) << target;
  }
  ForceSimdTarget("");
  const std::atomic<bool> cancelled = true;
  const auto stopped = TrainCoarseQuantizer(sample, space, {.lists = 64}, &cancelled);
  ASSERT_FALSE(stopped.has_value());
  EXPECT_EQ(stopped.error().code(), StatusCode::kCancelled);
}

TEST(CoarseTrainingTest, TakesVectorsThatSayNothingAndFewOfThem) {
  const VectorSpace space(kQuantizerDim, 42);
  const std::vector<float> nothing(kQuantizerDim);
  for (const size_t count : {1u, 3u, 100u}) {
    const std::vector<QuantizedVector> sample(count, space.Quantize(nothing));
    ASSERT_OK_AND_ASSIGN(const CoarseQuantizer lists,
                         TrainCoarseQuantizer(sample, space, {}, &kGoOn));
    EXPECT_EQ(lists.ListOf(sample[0].values), 0);
  }
}

}  // namespace
}  // namespace recall
