#include "index/source/extract/process/user_extraction.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

class UserExtractionTest : public ::testing::Test {
 protected:
  Extraction Run(const std::string& script, std::string_view file = "a file",
                 std::chrono::milliseconds timeout = std::chrono::minutes(1)) {
    return ExtractByUser(
        {.name = "own", .suffixes = {".own"}, .command = {"sh", "-c", script}, .timeout = timeout},
        file, limits_, not_cancelled_);
  }

  ExtractLimits limits_;
  const std::atomic<bool> not_cancelled_{false};
};

TEST_F(UserExtractionTest, TheOutputIsTheTextAndFormFeedsArePages) {
  EXPECT_EQ(Run("tr a-z A-Z").text, "A FILE\n");
  const Extraction pages = Run("printf 'one\\ntwo\\n\\fthree\\f\\ffive'");
  EXPECT_EQ(pages.text, "one\ntwo\nthree\nfive\n");
  ASSERT_EQ(pages.spans.size(), 3u);
  EXPECT_EQ(pages.spans[1].locator.number, 2);
  EXPECT_EQ(pages.spans[2].locator.number, 4);
  EXPECT_EQ(pages.text.substr(pages.spans[2].start), "five\n");
}

TEST_F(UserExtractionTest, LargeFilesPassBothWays) {
  const std::string large(3 << 20, 'x');
  EXPECT_EQ(Run("cat", large).text, large + "\n");
  EXPECT_EQ(Run("head -c 5", large).text, "xxxxx\n");
  EXPECT_EQ(Run("exec <&-; echo no input read", large).text, "no input read\n");
}

TEST_F(UserExtractionTest, FailuresAreOutcomes) {
  EXPECT_EQ(Run("true").outcome, ExtractOutcome::kNoText);
  EXPECT_EQ(Run("printf '\\377'").outcome, ExtractOutcome::kDamaged);
  const Extraction failed = Run("echo 'no such page' >&2; exit 3");
  EXPECT_EQ(failed.outcome, ExtractOutcome::kDamaged);
  EXPECT_NE(failed.reason.find("no such page"), std::string::npos) << failed.reason;
  EXPECT_EQ(Run("echo half; exit 3").text, "");
  limits_.max_text_bytes = 1000;
  EXPECT_EQ(Run("yes").outcome, ExtractOutcome::kTooLarge);
  EXPECT_EQ(Run("exec sleep 60", "", std::chrono::milliseconds(100)).outcome,
            ExtractOutcome::kTimedOut);
  const UserExtractor missing{.name = "own", .suffixes = {".own"}, .command = {"no-such-program"}};
  EXPECT_EQ(ExtractByUser(missing, "", limits_, not_cancelled_).outcome,
            ExtractOutcome::kUnsupported);
}

TEST(UserExtractorTest, IsFoundByTheSuffixAndNamedByItsCommand) {
  const std::vector<UserExtractor> own = {
      {.name = "djvu", .suffixes = {".djvu", ".djv"}, .command = {"djvutxt", "/dev/stdin"}}};
  ASSERT_NE(FindUserExtractor(own, "a/B.DJV"), nullptr);
  EXPECT_EQ(FindUserExtractor(own, ".djvu"), nullptr);
  EXPECT_EQ(FindUserExtractor(own, "djvu"), nullptr);
  UserExtractor other = own[0];
  other.command.push_back("-x");
  EXPECT_TRUE(NameWithVersion(own[0]).starts_with("djvu/"));
  EXPECT_NE(NameWithVersion(own[0]), NameWithVersion(other));
}

}  // namespace
}  // namespace recall
