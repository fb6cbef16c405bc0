#include <algorithm>

#include "tests/simd/simd_test_util.h"

namespace recall {
namespace {

constexpr size_t kTablesPerByte = 32;

std::vector<uint16_t> PlainScores(const uint8_t* blocks, size_t block_count, size_t bytes,
                                  const uint8_t* lookup) {
  std::vector<uint16_t> scores;
  for (size_t block = 0; block < block_count; ++block) {
    for (size_t v = 0; v < kSignCodeBlock; ++v) {
      unsigned score = 0;
      for (size_t b = 0; b < bytes; ++b) {
        const uint8_t code = blocks[(block * bytes + b) * kSignCodeBlock + v];
        score += lookup[b * kTablesPerByte + (code & 15)];
        score += lookup[b * kTablesPerByte + 16 + (code >> 4)];
      }
      scores.push_back(static_cast<uint16_t>(score));
    }
  }
  return scores;
}

class SignCodeTest : public EveryTarget {
 protected:
  // Blocks at an odd address, like those inside a page of the database.
  void Fill(size_t blocks, size_t bytes) {
    block_count_ = blocks;
    bytes_ = bytes;
    storage_ = RandomIntegers<uint8_t>(random_, blocks * bytes * kSignCodeBlock + 1, 0, 255);
    lookup_ = RandomIntegers<uint8_t>(random_, bytes * kTablesPerByte, 0, 31);
  }
  const uint8_t* blocks() const { return storage_.data() + 1; }
  std::vector<uint16_t> Expected() const {
    return PlainScores(blocks(), block_count_, bytes_, lookup_.data());
  }

  void ExpectRanks() {
    std::vector<uint32_t> wanted;
    for (size_t block = 0; block < block_count_; ++block) {
      wanted.push_back(block % 3 == 0 ? ~uint32_t{0} : static_cast<uint32_t>(random_()));
    }
    const uint32_t* const masks[] = {nullptr, wanted.data()};
    for (const uint32_t* const mask : masks) {
      std::vector<uint16_t> expected = Expected();
      for (size_t i = 0; i < expected.size(); ++i) {
        const bool counts = !mask || (mask[i / kSignCodeBlock] >> i % kSignCodeBlock & 1) != 0;
        expected[i] = static_cast<uint16_t>(counts ? expected[i] + 1 : 0);
      }
      expected.push_back(7);
      std::vector<uint16_t> ranks(expected.size(), 7);
      RankSignCodeBlocks(blocks(), block_count_, bytes_, lookup_.data(), mask, ranks.data());
      ASSERT_EQ(ranks, expected) << "bytes " << bytes_;
    }
  }

  // Scans all vectors, and those of random masks.
  void ExpectScan(uint16_t threshold) {
    ASSERT_NO_FATAL_FAILURE(ExpectScan(threshold, {}));
    for (int zeros = 0; zeros < 3; ++zeros) {
      std::vector<uint32_t> wanted;
      for (size_t block = 0; block < block_count_; ++block) {
        uint32_t mask = ~uint32_t{0};
        for (int i = 0; i < zeros * 2; ++i) mask &= static_cast<uint32_t>(random_());
        wanted.push_back(mask);
      }
      ASSERT_NO_FATAL_FAILURE(ExpectScan(threshold, wanted));
    }
  }

  void ExpectScan(uint16_t threshold, const std::vector<uint32_t>& wanted) {
    std::vector<std::pair<uint32_t, uint32_t>> expected_kept;
    std::vector<uint16_t> expected_scores;
    const std::vector<uint16_t> all = Expected();
    for (size_t block = 0; block < block_count_; ++block) {
      const auto first = all.begin() + static_cast<ptrdiff_t>(block * kSignCodeBlock);
      uint32_t hits = 0;
      for (uint32_t v = 0; v < kSignCodeBlock; ++v) hits |= uint32_t{first[v] > threshold} << v;
      if (!wanted.empty()) hits &= wanted[block];
      if (hits == 0) continue;
      expected_kept.emplace_back(static_cast<uint32_t>(block), hits);
      expected_scores.insert(expected_scores.end(), first, first + kSignCodeBlock);
    }
    std::vector<SignCodeHits> kept(block_count_);
    std::vector<uint16_t> scores(block_count_ * kSignCodeBlock);
    const size_t count =
        ScanSignCodeBlocks(blocks(), block_count_, bytes_, lookup_.data(), threshold,
                           wanted.empty() ? nullptr : wanted.data(), kept.data(), scores.data());
    ASSERT_LE(count, block_count_);
    scores.resize(count * kSignCodeBlock);
    std::vector<std::pair<uint32_t, uint32_t>> actual_kept;
    for (size_t i = 0; i < count; ++i) actual_kept.emplace_back(kept[i].block, kept[i].hits);
    ASSERT_EQ(actual_kept, expected_kept) << "bytes " << bytes_ << " threshold " << threshold;
    ASSERT_EQ(scores, expected_scores) << "bytes " << bytes_ << " threshold " << threshold;
  }

  size_t block_count_ = 0;
  size_t bytes_ = 0;
  std::vector<uint8_t> storage_;
  std::vector<uint8_t> lookup_;
};
RECALL_ON_EVERY_TARGET(SignCodeTest);

TEST_P(SignCodeTest, ScoresEqualTheLoop) {
  for (const size_t bytes : {1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 48, 64, 96, 128, 1024}) {
    Fill(3, bytes);
    std::vector<uint16_t> scores(block_count_ * kSignCodeBlock + 1, 7);
    ScoreSignCodeBlocks(blocks(), block_count_, bytes_, lookup_.data(), scores.data());
    EXPECT_EQ(scores.back(), 7) << "wrote past the last score";
    scores.pop_back();
    ASSERT_EQ(scores, Expected()) << "bytes " << bytes;
  }
}

TEST_P(SignCodeTest, RanksOfWantedVectors) {
  for (const size_t bytes : {1, 2, 7, 8, 9, 16, 32, 33, 48, 128, 1024}) {
    for (const size_t blocks : {0, 1, 2, 5}) {
      Fill(blocks, bytes);
      ASSERT_NO_FATAL_FAILURE(ExpectRanks());
    }
  }
}

TEST_P(SignCodeTest, LargestScoreFitsSixteenBits) {
  Fill(1, 1024);
  std::fill(lookup_.begin(), lookup_.end(), uint8_t{31});
  std::vector<uint16_t> scores(kSignCodeBlock);
  ScoreSignCodeBlocks(blocks(), 1, bytes_, lookup_.data(), scores.data());
  EXPECT_EQ(scores, std::vector<uint16_t>(kSignCodeBlock, 62 * 1024));
  ExpectScan(62 * 1024 - 1);  // over 32767: the comparison must be unsigned
  ExpectScan(62 * 1024);
}

TEST_P(SignCodeTest, ScanKeepsTheBlocksAboveTheThreshold) {
  for (const size_t bytes : {1, 4, 32, 33, 128}) {
    Fill(40, bytes);
    std::vector<uint16_t> sorted = Expected();
    std::sort(sorted.begin(), sorted.end());
    for (const size_t rank :
         {size_t{0}, sorted.size() / 2, sorted.size() - 40, sorted.size() - 5, sorted.size() - 1}) {
      ASSERT_NO_FATAL_FAILURE(ExpectScan(sorted[rank]));
    }
    ASSERT_NO_FATAL_FAILURE(ExpectScan(0));
    ASSERT_NO_FATAL_FAILURE(ExpectScan(65535));
  }
}

TEST_P(SignCodeTest, OneVectorAboveIsFoundAtEachPlaceOfItsBlock) {
  constexpr size_t kBytes = 4;
  for (size_t place = 0; place < kSignCodeBlock; ++place) {
    Fill(2, kBytes);
    std::fill(storage_.begin(), storage_.end(), uint8_t{0});
    std::fill(lookup_.begin(), lookup_.end(), uint8_t{1});
    lookup_[16 + 15] = 2;  // the high nibble of byte 0, if it is 15
    storage_[1 + kBytes * kSignCodeBlock + place] = 0xF0;
    ASSERT_NO_FATAL_FAILURE(ExpectScan(2 * kBytes));
  }
}

TEST_P(SignCodeTest, NoBlocks) {
  Fill(0, 32);
  ExpectScan(0);
}

}  // namespace
}  // namespace recall
