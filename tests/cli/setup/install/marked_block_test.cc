#include "cli/setup/install/marked_block.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/test_util.h"

namespace recall {
namespace {

TEST(MarkedBlockTest, StandsBetweenItsMarkers) {
  EXPECT_EQ(WithBlock("a\nb\n", 2, MarkedBlock("x\n", false)),
            "a\n# >>> recall install git >>>\nx\n# <<< recall install git <<<\nb\n");
}

TEST(MarkedBlockTest, AnyTextIsRestoredToTheByte) {
  std::mt19937 random(static_cast<uint32_t>(TestSeed(7)));
  const std::string_view parts[] = {"a", "\n", "\r\n", "#!/bin/sh", "exit 0", "", "\n\n", "ü"};
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (uint32_t n = random() % 8; n > 0; --n) text += parts[random() % std::size(parts)];
    // The beginning of any line, and the end.
    std::vector<size_t> offsets = {0, text.size()};
    for (size_t at = 0; (at = text.find('\n', at)) != text.npos;) offsets.push_back(++at);
    const size_t offset = offsets[random() % offsets.size()];
    const bool made = random() % 2 == 0;
    const std::string with = WithBlock(text, offset, MarkedBlock("one\ntwo\n", made));
    ASSERT_OK_AND_ASSIGN(const std::optional<BlockRemoval> rest, WithoutBlock(with));
    ASSERT_TRUE(rest.has_value());
    EXPECT_EQ(rest->text, text);
    EXPECT_EQ(rest->made_file, made);
  }
}

TEST(MarkedBlockTest, AllBlocksAreRemoved) {
  const std::string block = MarkedBlock("x\n", false);
  ASSERT_OK_AND_ASSIGN(const auto rest, WithoutBlock("a\n" + block + "b\n" + block + "c"));
  EXPECT_EQ(rest->text, "a\nb\nc");
  ASSERT_OK_AND_ASSIGN(const auto none, WithoutBlock("a\n# recall\n"));
  EXPECT_FALSE(none.has_value());
}

TEST(MarkedBlockTest, BlocksWithCarriageReturnsAreRecognised) {
  ASSERT_OK_AND_ASSIGN(
      const auto rest,
      WithoutBlock("a\r\n# >>> recall install git >>>\r\nx\r\n# <<< recall install git <<<\r\nb"));
  EXPECT_EQ(rest->text, "a\r\nb");
}

TEST(MarkedBlockTest, AMarkerAloneIsAnError) {
  for (const char* text : {"a\n# >>> recall install git >>>\nb\n",
                           "# <<< recall install git <<<\n# >>> recall install git >>>\n"}) {
    const auto rest = WithoutBlock(text);
    ASSERT_FALSE(rest.has_value());
    EXPECT_EQ(rest.error().code(), StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace recall
