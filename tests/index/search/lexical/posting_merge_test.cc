#include "index/search/lexical/posting_merge.h"

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

}  // namespace
}  // namespace recall
