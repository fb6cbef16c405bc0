#include "storage/postgres/seen_history.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/test_util.h"

namespace recall {
namespace {

class SeenHistoryTest : public ::testing::Test {
 protected:
  SeenHistory Open() const { return SeenHistory(directory_ / "store"); }
  // Forgets the commits above `last`, as a server that lost them would have it.
  static size_t ForgetAbove(SeenHistory& history, int64_t last) {
    return Must(history.ForgetUnknown(
        [&](const PageEpoch& epoch) -> Result<bool> { return epoch.number <= last; }));
  }

  TempDir directory_;
};

TEST_F(SeenHistoryTest, IsEmptyAtFirst) {
  EXPECT_EQ(Open().newest().number, 0);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "store"));
}

TEST_F(SeenHistoryTest, KeepsTheLastCommitsForOtherProcesses) {
  SeenHistory history = Open();
  for (int64_t number = 1; number <= 100; ++number) history.Add({number, -number * 7, 3});
  EXPECT_EQ(history.newest(), (PageEpoch{100, -700, 0}));
  SeenHistory other = Open();
  EXPECT_EQ(other.newest(), (PageEpoch{100, -700, 0}));
  EXPECT_EQ(ForgetAbove(other, 0), SeenHistory::kMostCommits);
  EXPECT_EQ(Open().newest().number, 0);
}

TEST_F(SeenHistoryTest, ForgetsWhatIsUnknownOnce) {
  SeenHistory history = Open();
  for (int64_t number = 1; number <= 9; ++number) history.Add({number, number, 3});
  SeenHistory other = Open();
  EXPECT_EQ(ForgetAbove(history, 7), 2U);
  EXPECT_EQ(history.newest().number, 7);
  EXPECT_EQ(ForgetAbove(other, 7), 0U) << "another process has forgotten them";
  EXPECT_EQ(other.newest().number, 7);
}

TEST_F(SeenHistoryTest, ACommitReplacesAnotherOfItsNumber) {
  SeenHistory history = Open();
  history.Add({4, 1, 3});
  history.Add({4, 2, 3});
  EXPECT_EQ(Open().newest(), (PageEpoch{4, 2, 0}));
}

TEST_F(SeenHistoryTest, FindsANewerTimelineOfTheSameSystem) {
  SeenHistory history = Open();
  EXPECT_FALSE(history.FindNewer({"7412", 1}));
  EXPECT_FALSE(history.FindNewer({"7412", 3}));
  EXPECT_FALSE(history.FindNewer({"9999", 1}));
  history.Add({1, 1, 1});
  SeenHistory other = Open();
  EXPECT_EQ(other.FindNewer({"7412", 2}), 3);
  EXPECT_FALSE(other.FindNewer({"7412", 3}));
  EXPECT_FALSE(other.FindNewer({"9999", 1}));
}

// As after a write that a full disk has cut, and one that a killed process has not followed by the
// truncation.
TEST_F(SeenHistoryTest, AContentThatIsNotWholeIsEmpty) {
  SeenHistory history = Open();
  for (int64_t number = 1; number <= 9; ++number) history.Add({number, 100 + number, 3});
  std::stringstream whole;
  whole << std::ifstream(history.path()).rdbuf();
  const std::string text = whole.str();
  for (size_t size = 0; size + 1 < text.size(); ++size) {
    std::ofstream(history.path(), std::ios::trunc) << text.substr(0, size);
    EXPECT_EQ(Open().newest().number, 0) << size;
  }
  std::ofstream(history.path(), std::ios::trunc) << text << "commit 10 7\n";
  EXPECT_EQ(Open().newest(), (PageEpoch{9, 109, 0}));
}

TEST_F(SeenHistoryTest, AFileOfAnotherFormIsEmpty) {
  SeenHistory history = Open();
  history.Add({4, 1, 3});
  const std::string path = history.path();
  for (const char* text :
       {"", "x", "recall history 2\ncommit 9 9\n", "recall history 1\ncommit",
        "recall history 1\ncommit 4 x\nend\n", "recall history 1\ncommit -4 1\nend\n",
        "recall history 2\ncommit 9 9\nend\n"}) {
    std::ofstream(path, std::ios::trunc) << text;
    EXPECT_EQ(Open().newest().number, 0) << text;
    SeenHistory other = Open();
    other.Add({5, 6, 7});
    EXPECT_EQ(Open().newest(), (PageEpoch{5, 6, 0})) << text;
  }
}

TEST_F(SeenHistoryTest, NoChangeOfSeveralThreadsIsLost) {
  std::vector<std::jthread> threads;
  for (int64_t first = 0; first < 4; ++first) {
    threads.emplace_back([this, first] {
      SeenHistory history = Open();
      for (int64_t i = 0; i < 16; ++i) history.Add({1 + first + i * 4, 1, 1});
    });
  }
  threads.clear();
  SeenHistory all = Open();
  EXPECT_EQ(all.newest().number, 64);
  EXPECT_EQ(ForgetAbove(all, 0), 64U);
}

TEST_F(SeenHistoryTest, ADirectoryThatCannotBeWrittenIsNoError) {
  std::ofstream(directory_ / "store") << "a file";
  SeenHistory history = Open();
  history.Add({4, 1, 3});
  EXPECT_EQ(history.newest().number, 4);
}

}  // namespace
}  // namespace recall
