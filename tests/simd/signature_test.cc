#include <algorithm>

#include "tests/simd/simd_test_util.h"

namespace recall {
namespace {

constexpr size_t kTablesPerByte = 32;

std::vector<uint16_t> PlainScores(const uint8_t* blocks, size_t block_count, size_t bytes,
                                  const uint8_t* lookup) {
  std::vector<uint16_t> scores;
  for (size_t block = 0; block < block_count; ++block) {
    for (size_t v = 0; v < kSignatureBlock; ++v) {
      unsigned score = 0;
      for (size_t b = 0; b < bytes; ++b) {
        const uint8_t code = blocks[(block * bytes + b) * kSignatureBlock + v];
        score += lookup[b * kTablesPerByte + (code & 15)];
        score += lookup[b * kTablesPerByte + 16 + (code >> 4)];
      }
      scores.push_back(static_cast<uint16_t>(score));
    }
  }
  return scores;
}

class SignatureTest : public EveryTarget {
 protected:
  // Blocks at an odd address, as they are inside a page of the database.
  void Fill(size_t blocks, size_t bytes) {
    block_count_ = blocks;
    bytes_ = bytes;
    storage_ = RandomIntegers<uint8_t>(random_, blocks * bytes * kSignatureBlock + 1, 0, 255);
    lookup_ = RandomIntegers<uint8_t>(random_, bytes * kTablesPerByte, 0, 31);
  }
  const uint8_t* blocks() const { return storage_.data() + 1; }
  std::vector<uint16_t> Expected() const {
    return PlainScores(blocks(), block_count_, bytes_, lookup_.data());
  }

  void ExpectScan(uint16_t threshold) {
    std::vector<uint32_t> expected_kept;
    std::vector<uint16_t> expected_scores;
    const std::vector<uint16_t> all = Expected();
    for (size_t block = 0; block < block_count_; ++block) {
      const auto first = all.begin() + static_cast<ptrdiff_t>(block * kSignatureBlock);
      const auto last = first + kSignatureBlock;
      if (*std::max_element(first, last) <= threshold) continue;
      expected_kept.push_back(static_cast<uint32_t>(block));
      expected_scores.insert(expected_scores.end(), first, last);
    }
    std::vector<uint32_t> kept(block_count_);
    std::vector<uint16_t> scores(block_count_ * kSignatureBlock);
    const size_t count = ScanSignatureBlocks(blocks(), block_count_, bytes_, lookup_.data(),
                                             threshold, kept.data(), scores.data());
    kept.resize(std::min(count, block_count_));
    scores.resize(std::min(count, block_count_) * kSignatureBlock);
    ASSERT_EQ(kept, expected_kept) << "bytes " << bytes_ << " threshold " << threshold;
    ASSERT_EQ(scores, expected_scores) << "bytes " << bytes_ << " threshold " << threshold;
  }

  size_t block_count_ = 0;
  size_t bytes_ = 0;
  std::vector<uint8_t> storage_;
  std::vector<uint8_t> lookup_;
};
RECALL_ON_EVERY_TARGET(SignatureTest);

TEST_P(SignatureTest, ScoresEqualTheLoop) {
  for (const size_t bytes : {1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 48, 64, 96, 128, 1024}) {
    Fill(3, bytes);
    std::vector<uint16_t> scores(block_count_ * kSignatureBlock + 1, 7);
    ScoreSignatureBlocks(blocks(), block_count_, bytes_, lookup_.data(), scores.data());
    EXPECT_EQ(scores.back(), 7) << "wrote past the last score";
    scores.pop_back();
    ASSERT_EQ(scores, Expected()) << "bytes " << bytes;
  }
}

TEST_P(SignatureTest, LargestScoreFitsSixteenBits) {
  Fill(1, 1024);
  std::fill(lookup_.begin(), lookup_.end(), uint8_t{31});
  std::vector<uint16_t> scores(kSignatureBlock);
  ScoreSignatureBlocks(blocks(), 1, bytes_, lookup_.data(), scores.data());
  EXPECT_EQ(scores, std::vector<uint16_t>(kSignatureBlock, 62 * 1024));
  ExpectScan(62 * 1024 - 1);  // over 32767: the comparison must be unsigned
  ExpectScan(62 * 1024);
}

TEST_P(SignatureTest, ScanKeepsTheBlocksAboveTheThreshold) {
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

TEST_P(SignatureTest, OneVectorAboveIsFoundAtEachPlaceOfItsBlock) {
  constexpr size_t kBytes = 4;
  for (size_t place = 0; place < kSignatureBlock; ++place) {
    Fill(2, kBytes);
    std::fill(storage_.begin(), storage_.end(), uint8_t{0});
    std::fill(lookup_.begin(), lookup_.end(), uint8_t{1});
    lookup_[16 + 15] = 2;  // the high nibble of byte 0, when it is 15
    storage_[1 + kBytes * kSignatureBlock + place] = 0xF0;
    ASSERT_NO_FATAL_FAILURE(ExpectScan(2 * kBytes));
  }
}

TEST_P(SignatureTest, NoBlocks) {
  Fill(0, 32);
  ExpectScan(0);
}

}  // namespace
}  // namespace recall
