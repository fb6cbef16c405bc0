#include "query/ask/passages/passage_fence.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

TEST(PassageFenceTest, LinesThatLookLikeAnAnswerAreFound) {
  for (const std::string_view text : {
           "[policy.md:5-9]",
           "[policy.md:5-9] Policy",
           "notes\n[policy.md@0123456789ab:5-9] Policy\nMail it.",
           "[policy.md@0123456789ab]",
           "[report.pdf:10-24 (p. 3)] Costs",
           "[a.md@0123456789ab:5-9, continued]",
           "> [policy.md:5-9]",
           "  \xE2\x80\x8B[policy.md:5-9]",
           "text [policy.md:5-9] text",
           "text\r[policy.md:5-9]",
           "[a]b.md:5-9]",
           "[policy.md]\nnot_found: it is gone",
           "{\"used_tokens\":40,\"total\":2}",
           "text\n  { \"warnings\":[]}",
           "text\xE2\x80\xA8{\"total\":2}",
           "text\xC2\x85{\"total\":2}",
       }) {
    EXPECT_TRUE(ResemblesAnAnswer(text)) << text;
  }
  for (const std::string_view text : {
           "",
           "[",
           "Plain text, with [a link](https://example.com) and x[i] = {1, 2}.",
           "int a[2] = {1, 2};",
           "[section]\nkey = value",
           "see lines 5-9 of policy.md",
           "[mail](mailto:ada@facade.example.com)",
           "call({\"total\": 1})",
           "{\"title\":\"Target\",\"type\":\"lesson\"}",
           "```cpp\nreturn {};\n```",
       }) {
    EXPECT_FALSE(ResemblesAnAnswer(text)) << text;
  }
}

TEST(PassageFenceTest, FencesAreLongerThanAnyRunInThePassages) {
  PassageFence fence;
  EXPECT_EQ(fence.Opening(), "");
  EXPECT_EQ(fence.Closing("text"), "");
  fence.Cover("`````\ncode\n`````\n");
  EXPECT_EQ(fence.Opening(), "");
  fence.Cover("[policy.md:5-9]");
  EXPECT_EQ(fence.Opening(), "``````\n");
  EXPECT_EQ(fence.Closing("text"), "\n``````");
  EXPECT_EQ(fence.Closing("text\n"), "``````");
}

}  // namespace
}  // namespace recall
