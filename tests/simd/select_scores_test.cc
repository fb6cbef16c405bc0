#include <algorithm>

#include "tests/simd/simd_test_util.h"

namespace recall {
namespace {

class SelectScoresTest : public EveryTarget {
 protected:
  std::vector<uint16_t> RandomScores(size_t blocks) {
    std::vector<uint16_t> scores =
        RandomIntegers<uint16_t>(random_, blocks * kSignCodeBlock, 0, 65535);
    // Few values, so that many are equal, of which some are above 32767.
    for (uint16_t& score : scores) score = static_cast<uint16_t>(score / 8192 * 8192);
    return scores;
  }
};
RECALL_ON_EVERY_TARGET(SelectScoresTest);

TEST_P(SelectScoresTest, MaximaOfEachGroup) {
  for (const size_t blocks : {0, 1, 31, 32, 33, 100}) {
    const std::vector<uint16_t> scores = RandomScores(blocks);
    const size_t groups = (blocks + kMaximumBlocks - 1) / kMaximumBlocks;
    std::vector<uint16_t> expected(groups * kSignCodeBlock);
    for (size_t i = 0; i < scores.size(); ++i) {
      const size_t group = i / kSignCodeBlock / kMaximumBlocks;
      uint16_t& maximum = expected[group * kSignCodeBlock + i % kSignCodeBlock];
      maximum = std::max(maximum, scores[i]);
    }
    std::vector<uint16_t> maxima(expected.size());
    MaximaOfScores(scores.data(), blocks, maxima.data());
    EXPECT_EQ(maxima, expected) << blocks << " blocks";
  }
}

TEST_P(SelectScoresTest, PlacesOfWhatReachesTheLeast) {
  for (const size_t blocks : {0, 1, 2, 65}) {
    const std::vector<uint16_t> scores = RandomScores(blocks);
    for (const int least : {0, 1, 8192, 32767, 32768, 57344, 65535}) {
      std::vector<uint32_t> expected;
      for (size_t i = 0; i < scores.size(); ++i) {
        if (scores[i] >= least) expected.push_back(static_cast<uint32_t>(i));
      }
      std::vector<uint32_t> places(scores.size() + 1);
      places.resize(
          PlacesOfScores(scores.data(), blocks, static_cast<uint16_t>(least), places.data()));
      EXPECT_EQ(places, expected) << blocks << " blocks, least " << least;
    }
  }
}

}  // namespace
}  // namespace recall
