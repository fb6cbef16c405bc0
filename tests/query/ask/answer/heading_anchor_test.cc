#include "query/ask/answer/heading_anchor.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

TEST(HeadingAnchorTest, AnchorsAreThoseOfGitHub) {
  EXPECT_EQ(AnchorOf("Exit codes"), "exit-codes");
  EXPECT_EQ(AnchorOf("What's new in 2.0?"), "whats-new-in-20");
  EXPECT_EQ(AnchorOf("`recall get` and `--verify`"), "recall-get-and---verify");
  EXPECT_EQ(AnchorOf("See [the docs](a/b.md) first"), "see-the-docs-first");
  EXPECT_EQ(AnchorOf("snake_case"), "snake_case");
  EXPECT_EQ(AnchorOf("\u00DCber Gr\u00F6\u00DFe"), "\u00FCber-gr\u00F6\u00DFe");
  EXPECT_EQ(AnchorOf("\u4E2D\u6587 \u6807\u9898"), "\u4E2D\u6587-\u6807\u9898");
}

std::string SectionOf(std::string_view text, std::string_view anchor) {
  const auto found = FindSection(text, anchor);
  return found ? std::string(text.substr(found->first, found->second - found->first)) : "none";
}

TEST(HeadingAnchorTest, ASectionReachesToTheNextHeadingOfItsLevel) {
  const std::string text =
      "---\nstatus: x\n---\n# Top\n\none\n\n## Use\n\ntwo\n\n### More\n\nthree\n\n## Use\n\nfour\n"
      "```\n## Not a heading\n```\n\nUnder lined\n---\n\nfive\n# End\n";
  EXPECT_EQ(SectionOf(text, "use"), "## Use\n\ntwo\n\n### More\n\nthree\n\n");
  EXPECT_EQ(SectionOf(text, "USE"), SectionOf(text, "use"));
  EXPECT_EQ(SectionOf(text, "more"), "### More\n\nthree\n\n");
  EXPECT_EQ(SectionOf(text, "use-1"), "## Use\n\nfour\n```\n## Not a heading\n```\n\n");
  EXPECT_EQ(SectionOf(text, "under-lined"), "Under lined\n---\n\nfive\n");
  EXPECT_EQ(SectionOf(text, "end"), "# End\n");
  EXPECT_EQ(SectionOf(text, "not-a-heading"), "none");
  EXPECT_EQ(SectionOf(text, "status-x"), "none");
  EXPECT_EQ(SectionOf("", "a"), "none");
  EXPECT_EQ(SectionOf("# a](", "a"), "# a](");
}

}  // namespace
}  // namespace recall
