#include "index/search/lexical/posting_blocks.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <map>
#include <random>

#include "tests/test_util.h"

namespace recall {
namespace {

constexpr uint32_t kLastRow = std::numeric_limits<uint32_t>::max();

double Norm(uint32_t row) { return 0.375 + 0.01 * (row % 97); }

// Some blocks are full, some have one row, and most are empty; some words have large counts.
PostingList RandomPostings(std::mt19937_64& random) {
  PostingList list;
  uint32_t row = random() % 3 == 0 ? kLastRow - 20'000 : static_cast<uint32_t>(random() % 500);
  const uint64_t count = random() % 400;
  for (uint64_t i = 0; i < count; ++i) {
    const uint32_t gap = random() % 8 == 0 ? static_cast<uint32_t>(random() % 300) : 0;
    if (row > kLastRow - 301) break;
    row += 1 + gap;
    const uint64_t kind = random() % 50;
    const uint64_t times = kind == 0 ? 250 + random() % 100'000 : 1 + random() % 6;
    list.push_back({row, static_cast<uint32_t>(times)});
  }
  if (random() % 4 == 0) list.push_back({kLastRow, 255});
  return list;
}

TEST(PostingBlocks, HoldWhatWasPutIn) {
  std::mt19937_64 random(TestSeed(1));
  for (int round = 0; round < 300; ++round) {
    const PostingList list = RandomPostings(random);
    const std::vector<uint8_t> bytes = PostingBlocks::Encode(list, Norm);
    const auto blocks = PostingBlocks::Open(bytes);
    ASSERT_TRUE(blocks.has_value());
    EXPECT_EQ(blocks->postings(), list.size());
    const ByteSpan header = ByteSpan(bytes).first(PostingBlocks::kHeaderBytes);
    EXPECT_EQ(PostingBlocks::CountIn(header, bytes.size()), list.size());
    EXPECT_EQ(PostingBlocks::CountIn(header.first(15), bytes.size()), std::nullopt);
    EXPECT_EQ(PostingBlocks::CountIn(header, list.size()), std::nullopt) << "too short";
    EXPECT_EQ(blocks->Decode(), list);
    EXPECT_EQ(PostingBlocks::Of(list, Norm).Decode(), list);
    std::map<uint32_t, double> best;  // by block
    for (const Posting& posting : list) {
      double& most = best[posting.row / PostingBlocks::kRows];
      most = std::max(most, posting.count / (posting.count + Norm(posting.row)));
    }
    ASSERT_EQ(blocks->size(), best.size());
    for (size_t i = 0; i < blocks->size(); ++i) {
      const double expected = best.at(blocks->number(i)) * 255;
      EXPECT_GE(blocks->most(i), expected);
      EXPECT_LT(blocks->most(i), expected + 1);
      EXPECT_EQ(blocks->Find(blocks->number(i)), i);
      const uint32_t next = blocks->number(i) + 1;
      EXPECT_EQ(blocks->Find(next).has_value(), best.contains(next));
    }
    EXPECT_EQ(blocks->Find(kLastRow), std::nullopt);
  }
}

TEST(PostingBlocks, StayWhereTheyAreWhenMoved) {
  PostingBlocks blocks = PostingBlocks::Of({{3, 1}, {70, 2}}, Norm);
  const PostingBlocks moved = std::move(blocks);
  EXPECT_EQ(moved.Decode(), (PostingList{{3, 1}, {70, 2}}));
}

// docs/format/store.md contains the same example.
TEST(PostingBlocks, AreTheseBytes) {
  PostingList list = {{130, 300}, {131, 2}};
  for (uint32_t row = 64 * 5; row < 64 * 5 + 9; ++row) list.push_back({row, 1});
  const auto norm = [](uint32_t) { return 1.0; };
  const std::vector<uint8_t> expected = {
      2, 0, 0, 0, 11, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,  // 2 blocks, 11 postings, 1 long
                                                        // count
      2, 0, 0, 0, 5, 0, 0, 0,                           // blocks 2 and 5
      255, 128,                                         // 300 / 301 and 1 / 2 of 255, rounded up
      2, 9,                                             // postings
      2, 3, 255, 2,                                     // rows 130 and 131
      0xff, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1,  // rows 320 to 328
      130, 0, 0, 0, 44, 1, 0, 0};                            // 300 times in row 130
  EXPECT_EQ(PostingBlocks::Encode(list, norm), expected);
}

// Any bytes are either rejected or can be read safely.
TEST(PostingBlocks, AnyBytesAreRefusedOrReadable) {
  std::mt19937_64 random(TestSeed(2));
  int readable = 0;
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<uint8_t> bytes = PostingBlocks::Encode(RandomPostings(random), Norm);
    for (uint64_t i = random() % 4; i > 0; --i) {
      const size_t at = random() % (random() % 2 == 0 ? 16 : bytes.size());
      bytes[at] = static_cast<uint8_t>(random());
    }
    if (random() % 4 == 0) bytes.resize(random() % (bytes.size() + 8));
    const auto blocks = PostingBlocks::Open(bytes);
    ++(blocks ? readable : refused);
    if (!blocks) continue;
    uint64_t rows = 0;
    for (size_t i = 0; i < blocks->size(); ++i) {
      rows += static_cast<uint64_t>(std::popcount(blocks->Rows(i)));
      ASSERT_TRUE(i == 0 || blocks->number(i) > blocks->number(i - 1));
      blocks->LongCount(blocks->number(i) * PostingBlocks::kRows);
    }
    EXPECT_EQ(blocks->Decode().size(), rows);
  }
  EXPECT_GT(readable, 100);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace recall
