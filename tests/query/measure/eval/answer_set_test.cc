// Questions with answers, and how often contexts contain them.

#include "query/measure/eval/answer_set.h"

#include <atomic>
#include <fstream>

#include "query/measure/eval/evaluation.h"
#include "tests/test_util.h"

namespace recall {
namespace {

class AnswerSetTest : public ::testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(dir_ / name).parent_path());
    std::ofstream(dir_ / name, std::ios::binary) << text;
  }
  void ExpectFault(const std::string& line, const std::string& words) {
    Write("q.jsonl", line + "\n");
    const auto read = ReadAnswerSet(dir_ / "q.jsonl", cancel_);
    ASSERT_FALSE(read.has_value()) << line;
    EXPECT_EQ(read.error().code(), StatusCode::kInvalidArgument);
    EXPECT_NE(read.error().ToString().find(words), std::string::npos) << read.error().ToString();
  }

  TempDir dir_;
  std::atomic<bool> cancel_ = false;
};

TEST_F(AnswerSetTest, AllAnswersMustBeThereInOneOfTheirForms) {
  Write("q.jsonl",
        "{\"_id\":1,\"question\":\"how long\",\"answers\":[\"six  feet\",[\"deep\",\"tall\"]],"
        "\"kind\":\"prose\",\"corpus\":\"a\"}\n");
  ASSERT_OK_AND_ASSIGN(const AnswerSet set, ReadAnswerSet(dir_ / "q.jsonl", cancel_));
  ASSERT_EQ(set.questions.size(), 1u);
  const AnswerSet::Question& question = set.questions[0];
  EXPECT_EQ(question.id, "1");
  EXPECT_EQ(question.kind, "prose");
  EXPECT_TRUE(ContainsAnswers(WithSingleSpaces("It is six\n\tfeet tall."), question));
  EXPECT_TRUE(ContainsAnswers(WithSingleSpaces("six feet deep"), question));
  EXPECT_FALSE(ContainsAnswers(WithSingleSpaces("six feet wide"), question));
  EXPECT_FALSE(ContainsAnswers(WithSingleSpaces("Six feet deep"), question));
}

TEST_F(AnswerSetTest, FaultsNameTheLine) {
  ExpectFault("{\"_id\":\"1\",\"question\":\" \",\"answers\":[\"a\"]}", "\"question\" is empty");
  ExpectFault("{\"_id\":\"1\",\"question\":\"a\",\"answers\":[]}", "not an array with an answer");
  ExpectFault("{\"_id\":\"1\",\"question\":\"a\",\"answers\":[[]]}", "an answer is a text");
  ExpectFault("{\"_id\":\"1\",\"question\":\"a\",\"answers\":[\" \"]}", "an answer is a text");
  ExpectFault(
      "{\"_id\":\"1\",\"question\":\"a\",\"answers\":[\"a\"]}\n"
      "{\"_id\":\"1\",\"question\":\"b\",\"answers\":[\"a\"]}",
      "occurs twice");
  ExpectFault("", "has no question");
}

TEST_F(AnswerSetTest, SharesByKindOfContextsChunksAndWindows) {
  std::string filler;
  for (int i = 0; i < 80; ++i) {
    filler += "Sentence " + std::to_string(i) + " of this report says nothing of any use. ";
  }
  Write("birds/heron.txt", filler + "The heron stands on one leg for seven hours. " + filler);
  Write("birds/other.txt", filler);
  Write("fish/pike.txt", "The pike has five hundred teeth.\n");
  Write("q.jsonl",
        "{\"_id\":\"1\",\"question\":\"how long does the heron stand on a leg\","
        "\"answers\":[\"seven hours\"],\"kind\":\"prose\",\"corpus\":\"birds\"}\n"
        "{\"_id\":\"2\",\"question\":\"how many teeth has the pike\","
        "\"answers\":[\"five hundred\"],\"kind\":\"number\",\"corpus\":\"fish\"}\n"
        "{\"_id\":\"3\",\"question\":\"where does the pike live\","
        "\"answers\":[\"in the sea\"],\"kind\":\"prose\",\"corpus\":\"fish\"}\n");
  EvalRequest request;
  request.answers_path = dir_ / "q.jsonl";
  request.directories = {dir_ / "birds", dir_ / "fish"};
  request.budgets = {40, 2000};
  ASSERT_OK_AND_ASSIGN(const AnswerReport report, EvaluateAnswers(request, {}, cancel_));
  ASSERT_EQ(report.corpora.size(), 2u);
  EXPECT_EQ(report.corpora[0].questions, 1);
  EXPECT_EQ(report.corpora[1].questions, 2);
  ASSERT_EQ(report.budgets.size(), 2u);
  EXPECT_NEAR(report.budgets[0].all.contained[0], 2. / 3, 1e-9);
  ASSERT_EQ(report.budgets[0].kinds.size(), 2u);
  EXPECT_EQ(report.budgets[0].kinds[0].first, "number");
  EXPECT_EQ(report.budgets[0].kinds[1].second.questions, 2);
  EXPECT_EQ(report.budgets[0].kinds[1].second.contained[0], .5);
  EXPECT_NEAR(report.in_ten_chunks, 2. / 3, 1e-9);
  EXPECT_TRUE(report.questions[1].in_five_chunks);
  EXPECT_FALSE(report.questions[2].contained[1][2]);
  // The snippet of the first hit has the sentence that answers.
  EXPECT_NEAR(report.in_first_chunk, 2. / 3, 1e-9);
  EXPECT_NEAR(report.in_first_snippet, 2. / 3, 1e-9);
  EXPECT_TRUE(report.questions[0].in_first_snippet);
  EXPECT_FALSE(report.questions[2].in_first_chunk);
  // A question without its corpus is an error.
  request.directories.pop_back();
  const auto missing = EvaluateAnswers(request, {}, cancel_);
  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(missing.error().ToString().find("no directory has the name 'fish'"), std::string::npos);
}

}  // namespace
}  // namespace recall
