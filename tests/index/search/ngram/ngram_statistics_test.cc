#include "index/search/ngram/ngram_statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "storage/base/bytes.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// Chunk i contains n-gram g if g divides i.
NgramStatistics CountDivisors(uint32_t chunks, uint32_t ngrams) {
  NgramCounter counter(chunks);
  for (uint32_t chunk = 1; chunk <= chunks; ++chunk) {
    std::vector<uint32_t> held;
    for (uint32_t ngram = 1; ngram <= ngrams; ++ngram) {
      if (chunk % ngram == 0) held.insert(held.end(), 2, ngram);
    }
    counter.Add(held);
  }
  return counter.Finish();
}

TEST(NgramStatisticsTest, RareNgramsAreWorthMore) {
  constexpr double kChunks = 5000;
  const NgramStatistics statistics = CountDivisors(5000, 1000);
  EXPECT_EQ(statistics.chunks(), 5000u);
  for (uint32_t ngram = 1; ngram <= 1000; ++ngram) {
    const double count = std::floor(kChunks / ngram);
    const double exact = std::log(1 + (kChunks - count + .5) / (count + .5));
    // Counts are stored in steps of 1/16 in log2.
    EXPECT_NEAR(statistics.Idf(ngram), exact, .05) << ngram;
  }
  EXPECT_GT(statistics.Idf(4242), std::log(kChunks));  // in no chunk
}

TEST(NgramStatisticsTest, TheAverageCountsRepetitions) {
  NgramCounter counter(2);
  std::vector<uint32_t> first = {1, 2, 2, 3};
  std::vector<uint32_t> second = {1, 1};
  counter.Add(first);
  counter.Add(second);
  EXPECT_DOUBLE_EQ(counter.Finish().average_length(), 3);
}

TEST(NgramStatisticsTest, BytesHoldEverything) {
  const NgramStatistics statistics = CountDivisors(300, 200);
  const std::string bytes = statistics.Encode();
  EXPECT_LE(bytes.size(), size_t{64} << 10);
  const auto decoded = NgramStatistics::Decode(AsBytes(bytes));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->chunks(), statistics.chunks());
  EXPECT_EQ(decoded->average_length(), statistics.average_length());
  for (uint32_t ngram = 0; ngram < 5000; ++ngram) {
    ASSERT_EQ(decoded->Idf(ngram), statistics.Idf(ngram)) << ngram;
  }
  EXPECT_EQ(decoded->Encode(), bytes);
}

TEST(NgramStatisticsTest, EveryFlippedByteAndEveryCutIsFound) {
  const std::string bytes = CountDivisors(10, 10).Encode();
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    ASSERT_FALSE(NgramStatistics::Decode(AsBytes(damaged)).has_value()) << at;
    ASSERT_FALSE(NgramStatistics::Decode(AsBytes(bytes.substr(0, at))).has_value()) << at;
  }
  EXPECT_FALSE(NgramStatistics::Decode(AsBytes(bytes + '\0')).has_value());
}

}  // namespace
}  // namespace recall
