#include "cli/show/terminal/wrap.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

TEST(WrapLinesTest, ContinuesBelowTheTextOfARow) {
  EXPECT_EQ(WrapLines("  --name     one two three four\n", 25),
            "  --name     one two\n"
            "             three four\n");
}

TEST(WrapLinesTest, BreaksWordsThatAreLongerThanARow) {
  EXPECT_EQ(WrapLines(std::string(45, 'x'), 20),
            std::string(20, 'x') + "\n" + std::string(20, 'x') + "\n" + std::string(5, 'x'));
}

TEST(WrapLinesTest, LeavesWhatFitsAndTablesAlone) {
  const std::string text = "short\n\n| a table | whose row is longer |\n";
  EXPECT_EQ(WrapLines(text, 20), text);
  EXPECT_EQ(WrapLines(std::string(200, 'x'), 0), std::string(200, 'x'));
}

}  // namespace
}  // namespace recall
