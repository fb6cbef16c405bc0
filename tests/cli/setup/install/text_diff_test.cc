#include "cli/setup/install/text_diff.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

TEST(UnifiedDiffTest, ShowsOneHunkWithContext) {
  EXPECT_EQ(UnifiedDiff("f", "a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nX\nY\ne\nf\ng\nh\n"),
            "--- f\n+++ f\n@@ -2,6 +2,8 @@\n b\n c\n d\n+X\n+Y\n e\n f\n g\n");
  EXPECT_EQ(UnifiedDiff("f", "a", "a\n"),
            "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n");
}

TEST(UnifiedDiffTest, AFileMayBeMadeOrRemoved) {
  EXPECT_EQ(UnifiedDiff("f", std::nullopt, "a\n"), "--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+a\n");
  EXPECT_EQ(UnifiedDiff("f", "a\n", std::nullopt), "--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n");
  EXPECT_EQ(UnifiedDiff("f", "a", "a"), "");
}

}  // namespace
}  // namespace recall
