#include "index/lexical/posting_merge.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "tests/test_util.h"

namespace recall {
namespace {

TEST(PostingMerge, AddsCountsOfEachRow) {
  std::mt19937_64 random(TestSeed(1));
  for (int round = 0; round < 300; ++round) {
    std::map<uint32_t, uint32_t> expected;
    std::vector<PostingList> lists(random() % 6);
    for (PostingList& list : lists) {
      std::set<uint32_t> rows;
      for (uint64_t i = random() % 20; i > 0; --i)
        rows.insert(static_cast<uint32_t>(random() % 40));
      for (const uint32_t row : rows) {
        list.push_back({row, 1 + static_cast<uint32_t>(random() % 5)});
        expected[row] += list.back().count;
      }
    }
    std::map<uint32_t, uint32_t> found;
    uint32_t before = 0;
    for (const Posting& posting : MergePostings(lists)) {
      EXPECT_TRUE(found.empty() || posting.row > before);
      before = posting.row;
      found[posting.row] = posting.count;
    }
    EXPECT_EQ(found, expected);
  }
}

TEST(RowFilter, AnswersAlikeFromBitsAndFromTheBitmap) {
  Bitmap rows;
  std::mt19937_64 random(TestSeed(2));
  for (int i = 0; i < 500; ++i) rows.Add(static_cast<uint32_t>(random() % 5000));
  rows.AddRange(4000, 4100);
  const RowFilter few(&rows, 100, 4999, 1);
  const RowFilter many(&rows, 100, 4999, 100000);
  const RowFilter none(nullptr, 100, 4999, 100000);
  for (uint32_t row = 100; row < 5000; ++row) {
    EXPECT_EQ(few.Contains(row), rows.Contains(row)) << row;
    EXPECT_EQ(many.Contains(row), rows.Contains(row)) << row;
    EXPECT_FALSE(none.Contains(row));
  }
  const uint32_t last = 0xFFFFFFFF;
  rows.Add(last);
  EXPECT_TRUE(RowFilter(&rows, last - 5, last, 100).Contains(last));
}

}  // namespace
}  // namespace recall
