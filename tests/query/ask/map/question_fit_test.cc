#include "query/ask/map/question_fit.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

const std::vector<std::string> kFitNames = {"Store", "StoreOptions", "CommitToken", "write_commit",
                                            "Clock", "StoreReader",  "Unrelated"};

TEST(QuestionFitTest, NamesFitByTheirWordsAndStems) {
  QuestionFit fit("how does it write commits", kFitNames);
  ASSERT_TRUE(fit.IsUseful());
  EXPECT_GT(fit.OfName("write_commit"), fit.OfName("CommitToken"));
  EXPECT_GT(fit.OfName("CommitToken"), 0);
  EXPECT_EQ(fit.OfName("Clock"), 0);
  EXPECT_LE(fit.OfName("write_commit"), 1);
}

TEST(QuestionFitTest, WordsThatManyNamesHaveCountLess) {
  QuestionFit fit("the store clock", kFitNames);
  EXPECT_GT(fit.OfName("Clock"), fit.OfName("Store"));
}

TEST(QuestionFitTest, ANameThatIsWrittenOutFitsWhatElseIsAsked) {
  QuestionFit fit("why does CommitToken change when nobody has written to the database", kFitNames);
  EXPECT_EQ(fit.OfName("CommitToken"), 1);
  EXPECT_LT(fit.OfName("write_commit"), 1);
}

TEST(QuestionFitTest, PathsFitByFileAndALittleByDirectory) {
  QuestionFit fit("commit writer", kFitNames);
  EXPECT_GT(fit.OfPath("src/commit_writer.cc"), fit.OfPath("src/commit.cc"));
  EXPECT_GT(fit.OfPath("src/commit.cc"), fit.OfPath("commit/other.cc"));
  EXPECT_GT(fit.OfPath("commit/other.cc"), 0);
  EXPECT_EQ(fit.OfPath("src/other.cc"), 0);
}

TEST(QuestionFitTest, AQuestionWithoutWordsSaysNothing) {
  EXPECT_FALSE(QuestionFit("", kFitNames).IsUseful());
  EXPECT_FALSE(QuestionFit("how is the", kFitNames).IsUseful());
}

}  // namespace
}  // namespace recall
