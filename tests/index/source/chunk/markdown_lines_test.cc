#include "index/source/chunk/markdown_lines.h"

#include <gtest/gtest.h>

#include "index/base/text/utf8.h"
#include "index/source/chunk/front_matter.h"

namespace recall {
namespace {

std::string Describe(std::string_view line) {
  const std::optional<AtxHeading> heading = ParseAtxHeading(line);
  return heading ? std::to_string(heading->level) + " " + std::string(heading->title) : "none";
}

TEST(MarkdownLines, AtxHeadings) {
  EXPECT_EQ(Describe("# Title"), "1 Title");
  EXPECT_EQ(Describe("   ###### Six \t"), "6 Six");
  EXPECT_EQ(Describe("##\tTab"), "2 Tab");
  EXPECT_EQ(Describe("## Closed ##"), "2 Closed");
  EXPECT_EQ(Describe("# Closed ### \r"), "1 Closed");
  EXPECT_EQ(Describe("# C#"), "1 C#");
  EXPECT_EQ(Describe("# a # b"), "1 a # b");
  EXPECT_EQ(Describe("#"), "1 ");
  EXPECT_EQ(Describe("## ##"), "2 ");
  EXPECT_EQ(Describe("#hashtag"), "none");
  EXPECT_EQ(Describe("####### seven"), "none");
  EXPECT_EQ(Describe("    # code"), "none");
  EXPECT_EQ(Describe("\t# code"), "none");
  EXPECT_EQ(Describe("\\# text"), "none");
}

TEST(MarkdownLines, SetextUnderlines) {
  EXPECT_EQ(SetextLevel("==="), 1);
  EXPECT_EQ(SetextLevel("   =  "), 1);
  EXPECT_EQ(SetextLevel("---\r"), 2);
  EXPECT_EQ(SetextLevel("= ="), 0);
  EXPECT_EQ(SetextLevel("==-"), 0);
  EXPECT_EQ(SetextLevel("    ==="), 0);
  EXPECT_EQ(SetextLevel("***"), 0);
  EXPECT_EQ(SetextLevel(""), 0);
}

TEST(MarkdownLines, Fences) {
  EXPECT_TRUE(OpenFence("```", false));
  EXPECT_TRUE(OpenFence("   ~~~~ sh", false));
  EXPECT_TRUE(OpenFence("~~~ a`b", false));
  EXPECT_FALSE(OpenFence("``", false));
  EXPECT_FALSE(OpenFence("``` inline ```", false));
  EXPECT_FALSE(OpenFence("    ```", false));
  EXPECT_TRUE(OpenFence("    ```", true));
  EXPECT_TRUE(OpenFence("- ```js", true));
  EXPECT_TRUE(OpenFence("1. - ~~~", true));
  EXPECT_FALSE(OpenFence("- item", true));
}

TEST(MarkdownLines, FencesCloseWithTheirOwnMarks) {
  const Fence fence = *OpenFence("````", false);
  EXPECT_FALSE(ClosesFence("```", fence));
  EXPECT_FALSE(ClosesFence("~~~~", fence));
  EXPECT_FALSE(ClosesFence("```` sh", fence));
  EXPECT_FALSE(ClosesFence("    ````", fence));
  EXPECT_TRUE(ClosesFence("````", fence));
  EXPECT_TRUE(ClosesFence("  ``````  \r", fence));
}

TEST(MarkdownLines, ListMarkers) {
  EXPECT_EQ(ListMarkerLength("- a"), 2u);
  EXPECT_EQ(ListMarkerLength("  *   a"), 6u);
  EXPECT_EQ(ListMarkerLength("12. a"), 4u);
  EXPECT_EQ(ListMarkerLength("3) a"), 3u);
  EXPECT_EQ(ListMarkerLength("-"), 1u);
  EXPECT_EQ(ListMarkerLength("-a"), 0u);
  EXPECT_EQ(ListMarkerLength("12.5"), 0u);
  EXPECT_EQ(ListMarkerLength("1234567890. a"), 0u);
  EXPECT_EQ(ListMarkerLength("12"), 0u);
  EXPECT_EQ(ListMarkerLength(""), 0u);
}

TEST(MarkdownLines, ThematicBreaks) {
  EXPECT_TRUE(IsThematicBreak("---"));
  EXPECT_TRUE(IsThematicBreak(" * * *\r"));
  EXPECT_TRUE(IsThematicBreak("_____"));
  EXPECT_FALSE(IsThematicBreak("--"));
  EXPECT_FALSE(IsThematicBreak("-*-"));
  EXPECT_FALSE(IsThematicBreak("    ---"));
  EXPECT_FALSE(IsThematicBreak(""));
}

TEST(MarkdownLines, HtmlBlocks) {
  EXPECT_EQ(OpenHtml("<!-- note"), "-->");
  EXPECT_EQ(OpenHtml("<pre>"), "</pre>");
  EXPECT_EQ(OpenHtml("<!-- note -->"), "");
  EXPECT_EQ(OpenHtml("<b>bold</b>"), "");
  EXPECT_EQ(OpenHtml("text <!-- note"), "");
}

TEST(MarkdownLines, TitlesAreShortAndOnOneLine) {
  EXPECT_EQ(TidyTitle("  a \t b\nc "), "a b c");
  EXPECT_EQ(TidyTitle(""), "");
  std::string wide;
  for (int i = 0; i < 300; ++i) wide += "é";
  const std::string title = TidyTitle(wide);
  EXPECT_EQ(title.size(), kMaxTitleBytes);
  EXPECT_TRUE(IsValidUtf8(title));
  // The limit may fall on any byte of a character.
  for (size_t before = kMaxTitleBytes - 4; before <= kMaxTitleBytes; ++before) {
    EXPECT_TRUE(IsValidUtf8(TidyTitle(std::string(before, 'x') + "日本語"))) << before;
    EXPECT_TRUE(IsValidUtf8(TidyTitle("w " + std::string(before, 'x') + "日本語"))) << before;
  }
}

TEST(FrontMatter, IsTheFirstThingInTheText) {
  const std::optional<FrontMatter> found = FindFrontMatter("---\na: 1\nb: 2\n---\ntext\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->body, "a: 1\nb: 2\n");
  EXPECT_EQ(found->end, 18u);
  EXPECT_TRUE(FindFrontMatter("\xEF\xBB\xBF---\r\na: 1\r\n...\r\n"));
  EXPECT_TRUE(FindFrontMatter("---\na: 1\n---"));
  EXPECT_FALSE(FindFrontMatter("\n---\na: 1\n---\n"));
  EXPECT_FALSE(FindFrontMatter("----\na: 1\n---\n"));
}

TEST(FrontMatter, NeedsAnEndAndIsNotAThematicBreak) {
  EXPECT_FALSE(FindFrontMatter("---\na: 1\n"));
  EXPECT_FALSE(FindFrontMatter("---\n\ntext\n\n---\n"));
  EXPECT_FALSE(FindFrontMatter("---"));
  EXPECT_FALSE(FindFrontMatter(""));
  EXPECT_FALSE(FindFrontMatter("---\n" + std::string(kMaxFrontMatterBytes, 'a') + "\n---\n"));
}

}  // namespace
}  // namespace recall
