#include "cli/show/browse/question_history.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/test_util.h"

namespace recall {
namespace {

using Questions = std::vector<std::string>;

mode_t PermissionsOf(const std::string& path) {
  struct stat info = {};
  EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 0777;
}

TEST(QuestionHistoryTest, KeepsEachQuestionOnceTheNewestLast) {
  const TempDir directory;
  const std::string path = directory / "state/recall/history";
  EXPECT_EQ(ReadHistory(path), Questions());
  for (const char* question : {"a", "b", "a"}) ASSERT_OK(AddToHistory(path, question));
  EXPECT_EQ(ReadHistory(path), (Questions{"b", "a"}));
}

TEST(QuestionHistoryTest, IsForItsOwnerAlone) {
  const TempDir directory;
  const std::string path = directory / "state/recall/history";
  ASSERT_OK(AddToHistory(path, "a"));
  EXPECT_EQ(PermissionsOf(path), 0600u);
  EXPECT_EQ(PermissionsOf(directory / "state/recall"), 0700u);
}

TEST(QuestionHistoryTest, ForgetsTheOldest) {
  const TempDir directory;
  const std::string path = directory / "history";
  for (size_t i = 0; i < kMostQuestions + 5; ++i) {
    ASSERT_OK(AddToHistory(path, "question " + std::to_string(i)));
  }
  const Questions kept = ReadHistory(path);
  EXPECT_EQ(kept.size(), kMostQuestions);
  EXPECT_EQ(kept.front(), "question 5");
  EXPECT_EQ(kept.back(), "question " + std::to_string(kMostQuestions + 4));
}

TEST(QuestionHistoryTest, WhereItCannotBeWrittenItIsAnErrorWithAHint) {
  const Status status = AddToHistory("/proc/no/history", "a");
  EXPECT_EQ(status.code(), StatusCode::kIoError);
  EXPECT_NE(status.hint().find("--no-history"), std::string::npos);
}

TEST(QuestionHistoryTest, LiesInTheStateDirectory) {
  ::setenv("XDG_STATE_HOME", "/s", 1);
  EXPECT_EQ(HistoryPath(), "/s/recall/history");
  ::setenv("XDG_STATE_HOME", "relative", 1);
  ::setenv("HOME", "/h", 1);
  EXPECT_EQ(HistoryPath(), "/h/.local/state/recall/history");
  ::unsetenv("XDG_STATE_HOME");
}

}  // namespace
}  // namespace recall
