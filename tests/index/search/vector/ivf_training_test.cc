#include "index/search/vector/ivf_training.h"

#include <map>

#include "simd/kernels.h"
#include "tests/index/search/vector/vector_test_util.h"

namespace recall {
namespace {

constexpr uint32_t kSampleDim = 100;  // padded to 128
const std::atomic<bool> kGoOn = false;

std::vector<QuantizedVector> Sample(const VectorSpace& space, ClusteredVectors source, int count) {
  std::vector<QuantizedVector> sample;
  for (int i = 0; i < count; ++i) sample.push_back(space.Quantize(source.Next()));
  return sample;
}

TEST(IvfTrainingTest, TellsWellSeparatedSubjectsApart) {
  const VectorSpace space(kSampleDim, 42);
  constexpr size_t kSubjects = 20;
  const std::vector<QuantizedVector> centroids =
      Sample(space, ClusteredVectors(TestSeed(3), kSampleDim, 1, 1.0f), kSubjects);
  // Random vectors, each close to one of the centroids.
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

// One subject's vectors are nearly equal, the other one's differ. A query equally far from both has
// nearer neighbours among the latter.
TEST(IvfTrainingTest, LooseListsReachFartherThanDenseOnes) {
  const VectorSpace space(kSampleDim, 42);
  std::mt19937_64 random(TestSeed(6));
  std::normal_distribution<float> normal;
  std::vector<QuantizedVector> sample;
  for (int i = 0; i < 400; ++i) {
    std::vector<float> vector(kSampleDim);
    for (float& value : vector) value = normal(random) * (i % 2 == 0 ? 0.01f : 0.08f);
    vector[i % 2] += 1;
    sample.push_back(space.Quantize(vector));
  }
  ASSERT_OK_AND_ASSIGN(const CoarseQuantizer lists,
                       TrainCoarseQuantizer(sample, space, {.lists = 2}, &kGoOn));
  std::vector<float> between(kSampleDim);
  between[0] = between[1] = 1;
  const VectorSpace divided(space, std::make_shared<const CoarseQuantizer>(lists));
  const VectorQuery query = divided.PrepareQuery(between);
  ASSERT_EQ(query.list_reaches.size(), 2u);
  EXPECT_EQ(query.lists.front(), lists.ListOf(sample[1].values));
  EXPECT_GT(query.list_reaches[0], query.list_reaches[1]);
}

TEST(IvfTrainingTest, DependsOnTheVectorsAlone) {
  const VectorSpace space(kSampleDim, 42);
  const auto sample = Sample(space, ClusteredVectors(TestSeed(5), kSampleDim, 30), 1500);
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

TEST(IvfTrainingTest, TakesVectorsThatSayNothingAndFewOfThem) {
  const VectorSpace space(kSampleDim, 42);
  const std::vector<float> nothing(kSampleDim);
  for (const size_t count : {1u, 3u, 100u}) {
    const std::vector<QuantizedVector> sample(count, space.Quantize(nothing));
    ASSERT_OK_AND_ASSIGN(const CoarseQuantizer lists,
                         TrainCoarseQuantizer(sample, space, {}, &kGoOn));
    EXPECT_EQ(lists.ListOf(sample[0].values), 0);
  }
}

}  // namespace
}  // namespace recall
