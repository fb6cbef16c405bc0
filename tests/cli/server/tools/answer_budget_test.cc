#include "cli/server/tools/answer_budget.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "index/base/text/utf8.h"
#include "index/subword/token_estimate.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// A text of words, numbers, punctuation, other scripts and lines.
std::string RandomLines(std::mt19937_64& random, size_t parts) {
  static const char* const kParts[] = {
      "segment", " ",  "\n",   "\n\n", "  ",        "mergeSegments(1);",
      "1234567", "é",  "漢字", "🙂", "\t",        "{\"a\":\"b\\n\"}",
      "the",     ", ", "\r\n", "----", "https://x", "words and words"};
  std::string text;
  for (size_t i = 0; i < parts; ++i) text += kParts[random() % std::size(kParts)];
  return text;
}

TEST(AnswerBudgetTest, AppendedLinesNeverExceedTheBudget) {
  std::mt19937_64 random(TestSeed(1));
  for (int i = 0; i < 500; ++i) {
    std::vector<std::string> lines;
    for (size_t n = random() % 30; n > 0; --n) {
      std::string line = RandomLines(random, random() % 20);
      std::erase(line, '\n');
      lines.push_back(std::move(line));
    }
    const std::string last = RandomLines(random, random() % 10);
    const auto budget = static_cast<int64_t>(random() % 400);
    const size_t count = LinesThatFit(lines, last, budget);
    ASSERT_LE(count, lines.size());
    std::string text;
    for (size_t n = 0; n < count; ++n) text += lines[n] + "\n";
    if (count > 0) {
      EXPECT_LE(EstimateTokens(text + last), budget);
    }
    // At most a little is lost: the sum of the parts is nearly the whole.
    if (count < lines.size()) {
      int64_t sum = EstimateTokens(last);
      for (size_t n = 0; n <= count; ++n) sum += EstimateTokens(lines[n] + "\n");
      EXPECT_GT(sum, budget);
    }
  }
}

TEST(AnswerBudgetTest, APrefixHasAllLinesThatFitAndWholeCharacters) {
  std::mt19937_64 random(TestSeed(2));
  for (int i = 0; i < 1000; ++i) {
    const std::string text = RandomLines(random, random() % 80);
    const auto budget = static_cast<int64_t>(random() % 120);
    const size_t length = PrefixThatFits(text, budget);
    ASSERT_LE(length, text.size());
    const std::string prefix = text.substr(0, length);
    EXPECT_LE(EstimateTokens(prefix), budget);
    EXPECT_TRUE(IsValidUtf8(prefix)) << prefix;
    if (length == text.size()) continue;
    // The oracle: the longest prefix that ends with a line, by trying all.
    size_t longest = 0;
    for (size_t end = 1; end <= text.size(); ++end) {
      if (text[end - 1] == '\n' && EstimateTokens(text.substr(0, end)) <= budget) longest = end;
    }
    if (EstimateTokens(text) <= budget) longest = text.size();
    if (longest > 0) {
      EXPECT_EQ(length, longest) << budget << "\n" << text;
    } else {
      EXPECT_EQ(prefix.find('\n'), std::string::npos);
    }
  }
}

TEST(AnswerBudgetTest, NothingFitsIntoNothing) {
  EXPECT_EQ(PrefixThatFits("word", 0), 0u);
  EXPECT_EQ(PrefixThatFits("word", -5), 0u);
  EXPECT_EQ(PrefixThatFits("", 0), 0u);
  EXPECT_EQ(LinesThatFit(std::vector<std::string>{"a", "b"}, "", 0), 0u);
  EXPECT_TRUE(MayFit("", 0));
  EXPECT_FALSE(MayFit("a", 0));
  EXPECT_FALSE(MayFit("a", -1));
}

TEST(AnswerBudgetTest, OneLongLineIsCutWithinIt) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "word ";
  const size_t length = PrefixThatFits(text, 100);
  EXPECT_GT(length, 300u);
  EXPECT_LE(EstimateTokens(text.substr(0, length)), 100);
  // Also if its characters have no words.
  const std::string zeros(1 << 20, '0');
  EXPECT_GT(PrefixThatFits(zeros, 100), 100u);
}

}  // namespace
}  // namespace recall
