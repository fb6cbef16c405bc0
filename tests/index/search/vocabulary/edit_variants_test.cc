#include "index/search/vocabulary/edit_variants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace recall {
namespace {

// The reference: optimal string alignment distance by dynamic programming, over bytes.
size_t AlignmentDistance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1,
                             cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

TEST(EditVariantsTest, AreExactlyTheWordsAtDistanceOne) {
  for (const std::string word : {"abca", "aab", "ba", "c", "abba"}) {
    const std::vector<std::string> variants = OneEditVariants(word);
    const std::set<std::string> found(variants.begin(), variants.end());
    EXPECT_EQ(found.size(), variants.size()) << "a variant is there twice";
    for (const std::string& variant : variants) {
      EXPECT_EQ(AlignmentDistance(word, variant), 1u) << word << " " << variant;
    }
    std::vector<std::string> all = {""};
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].size() == word.size() + 1) break;
      for (const char letter : {'a', 'b', 'c', 'd'}) all.push_back(all[i] + letter);
    }
    for (const std::string& other : all) {
      EXPECT_EQ(found.contains(other), AlignmentDistance(word, other) == 1) << word << " " << other;
    }
  }
}

TEST(EditVariantsTest, LettersComeFromTheScriptsOfTheWord) {
  const auto has = [](const std::string& word, const std::string& variant) {
    const std::vector<std::string> all = OneEditVariants(word);
    return std::ranges::find(all, variant) != all.end();
  };
  EXPECT_TRUE(has("молоо", "молоко"));
  EXPECT_TRUE(has("πολς", "πολης"));
  EXPECT_FALSE(has("молоо", "молоxо"));
  EXPECT_FALSE(has("mole", "mol1e")) << "digits are not added";
  EXPECT_TRUE(OneEditVariants("").empty());
}

}  // namespace
}  // namespace recall
