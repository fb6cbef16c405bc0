#include "simd/top_k.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/test_util.h"

namespace recall {
namespace {

template <typename Score>
using Entries = std::vector<typename TopK<Score>::Entry>;

template <typename Score>
std::vector<std::pair<Score, uint32_t>> Pairs(const Entries<Score>& entries) {
  std::vector<std::pair<Score, uint32_t>> pairs;
  for (const auto& entry : entries) pairs.emplace_back(entry.score, entry.id);
  return pairs;
}

template <typename Score>
Entries<Score> BestBySort(Entries<Score> entries, size_t k) {
  std::sort(entries.begin(), entries.end());
  entries.resize(std::min(k, entries.size()));
  return entries;
}

// With a small `scores_high` nearly all scores tie.
template <typename Score>
Entries<Score> RandomStream(std::mt19937_64& random, size_t count, int scores_high) {
  std::uniform_int_distribution<int> score(-scores_high, scores_high);
  Entries<Score> stream;
  for (size_t i = 0; i < count; ++i) {
    stream.push_back({static_cast<Score>(score(random)), static_cast<uint32_t>(i)});
  }
  std::shuffle(stream.begin(), stream.end(), random);
  return stream;
}

TEST(TopKTest, EqualsSorting) {
  std::mt19937_64 random(TestSeed(1));
  for (const size_t k : {0, 1, 2, 10, 100}) {
    for (const size_t count : {0, 1, 9, 10, 11, 20, 21, 1000}) {
      for (const int scores_high : {0, 3, 1000000}) {
        const auto stream = RandomStream<int32_t>(random, count, scores_high);
        TopK<int32_t> top(k);
        for (const auto& entry : stream) top.Push(entry.score, entry.id);
        const TopK<int32_t> same = top;
        ASSERT_EQ(Pairs<int32_t>(top.Take()), Pairs<int32_t>(BestBySort<int32_t>(stream, k)))
            << "k " << k << " count " << count << " scores up to " << scores_high;
        TopK<int32_t> unordered = same;
        auto pairs = Pairs<int32_t>(BestBySort<int32_t>(unordered.TakeUnordered(), stream.size()));
        ASSERT_EQ(pairs, Pairs<int32_t>(BestBySort<int32_t>(stream, k)));
      }
    }
  }
}

TEST(TopKTest, TiesKeepTheSmallestIdsInAnyOrderOfArrival) {
  std::mt19937_64 random(TestSeed(2));
  std::vector<uint32_t> ids(500);
  for (size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<uint32_t>(i);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(ids.begin(), ids.end(), random);
    TopK<float> top(7);
    for (const uint32_t id : ids) top.Push(0.5f, id);
    const auto best = top.Take();
    ASSERT_EQ(best.size(), 7u);
    for (uint32_t i = 0; i < 7; ++i) EXPECT_EQ(best[i].id, i);
  }
}

TEST(TopKTest, MergedPartitionsEqualTheWhole) {
  std::mt19937_64 random(TestSeed(3));
  for (const size_t parts : {1, 2, 3, 16}) {
    for (const int scores_high : {2, 100000}) {
      const auto stream = RandomStream<float>(random, 2000, scores_high);
      std::vector<TopK<float>> partitions(parts, TopK<float>(25));
      for (const auto& entry : stream) partitions[random() % parts].Push(entry.score, entry.id);
      TopK<float> merged(25);
      for (const auto& partition : partitions) merged.Merge(partition);
      ASSERT_EQ(Pairs<float>(merged.Take()), Pairs<float>(BestBySort<float>(stream, 25)))
          << parts << " parts, scores up to " << scores_high;
    }
  }
}

TEST(TopKTest, NothingBelowTheThresholdWouldBeKept) {
  std::mt19937_64 random(TestSeed(4));
  const auto stream = RandomStream<int32_t>(random, 5000, 1000);
  TopK<int32_t> top(10);
  TopK<int32_t> prefiltered(10);
  for (const auto& entry : stream) {
    top.Push(entry.score, entry.id);
    if (prefiltered.full() && entry.score < prefiltered.threshold()) continue;
    prefiltered.Push(entry.score, entry.id);
  }
  EXPECT_TRUE(top.full());
  EXPECT_EQ(Pairs<int32_t>(top.Take()), Pairs<int32_t>(prefiltered.Take()));
}

TEST(TopKTest, CanBeUsedAgainAfterTake) {
  TopK<int32_t> top(2);
  for (uint32_t id = 0; id < 10; ++id) top.Push(static_cast<int32_t>(id), id);
  EXPECT_EQ(top.Take().size(), 2u);
  top.Push(-5, 3);
  const auto second = top.Take();
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0].score, -5);
}

}  // namespace
}  // namespace recall
