#include "storage/base/nearest_word.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

const std::vector<std::string> kCommands = {"search", "stats", "context", "config"};

TEST(NearestWordTest, ExcusesSlipsButNotOtherWords) {
  EXPECT_EQ(NearestWord("serch", kCommands), "search");
  EXPECT_EQ(NearestWord("contxet", kCommands), "context");
  EXPECT_EQ(NearestWord("stat", kCommands), "stats");
  EXPECT_EQ(NearestWord("frobnicate", kCommands), "");
  EXPECT_EQ(NearestWord(std::string(100'000, 'x'), kCommands), "");
}

TEST(NearestWordTest, TakesAStartThatOnlyOneWordHas) {
  const std::vector<std::string> stages = {"mmr", "near-duplicates", "recency"};
  EXPECT_EQ(NearestWord("near-dup", stages), "near-duplicates");
  EXPECT_EQ(NearestWord("ne", stages), "");
  EXPECT_EQ(NearestWord("con", {"configuration", "contents"}), "");
  EXPECT_EQ(NearestWord("--budget", {"--quiet", "--budget-tokens"}), "--budget-tokens");
}

TEST(EditDistanceTest, CountsLettersThatDiffer) {
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(EditDistance("same", "same"), 0u);
}

}  // namespace
}  // namespace recall
