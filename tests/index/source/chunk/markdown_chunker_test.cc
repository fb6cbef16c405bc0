#include <algorithm>

#include "tests/index/source/chunk/chunk_test_util.h"

namespace recall {
namespace {

Texts Outline(std::string_view text, uint32_t chunk_tokens, uint32_t overlap = 0) {
  return ChunkOutline(text, Parser::kMarkdown, {chunk_tokens, overlap});
}

// The headings of the chunks, without adjacent duplicates.
Texts Headings(std::string_view text, uint32_t chunk_tokens = 7) {
  Texts headings;
  for (const ChunkSpan& span : ChunkText(text, Parser::kMarkdown, {chunk_tokens, 0})) {
    headings.push_back(span.heading);
  }
  headings.erase(std::unique(headings.begin(), headings.end()), headings.end());
  return headings;
}

TEST(MarkdownChunker, EachSectionHasItsHeadingPath) {
  EXPECT_EQ(
      Outline("intro\n\n# Guide\n\nhello\n\n## Install ##\n\nrun it\n\n## Use\n\ncall it\n"
              "\n# Other\nx\n",
              8),
      (Texts{"[] intro", "[Guide] # Guide\n\nhello", "[Guide > Install] ## Install ##\n\nrun it",
             "[Guide > Use] ## Use\n\ncall it", "[Other] # Other\nx"}));
}

TEST(MarkdownChunker, HeadingsWithNothingBetweenStayWithTheText) {
  EXPECT_EQ(Outline("# A\n\n## B\n\n### C\ntext\n", 16),
            (Texts{"[A > B > C] # A\n\n## B\n\n### C\ntext"}));
}

TEST(MarkdownChunker, AnEmptySectionIsItsOwn) {
  EXPECT_EQ(Outline("# A\n# B\ntext\n", 7), (Texts{"[A] # A", "[B] # B\ntext"}));
}

TEST(MarkdownChunker, SmallPagesShareNoChunk) {
  const std::string text = "a b\n\nc d\n\n# Head\n\ne f\n\n## One\n\ng\n\n## Two\n\nh\n";
  const std::vector<uint64_t> pages = {0, text.find("c d"), text.find("## Two")};
  std::vector<std::string> chunks;
  for (const ChunkSpan& span : ChunkText(text, Parser::kMarkdown, {64, 0}, nullptr, pages)) {
    chunks.push_back(text.substr(span.start_byte, span.end_byte - span.start_byte));
  }
  EXPECT_EQ(chunks, (Texts{"a b", "c d", "# Head\n\ne f", "## One\n\ng", "## Two\n\nh"}));
  // Without pages the tiny sections share one.
  EXPECT_EQ(ChunkText(text, Parser::kMarkdown, {64, 0}).size(), 3u);
}

TEST(MarkdownChunker, LevelsMayBeSkipped) {
  EXPECT_EQ(Headings("# A\na\n### C\nc\n## B\nb\n"), (Texts{"A", "A > C", "A > B"}));
}

TEST(MarkdownChunker, TinySiblingsShareAChunkUnderTheirParent) {
  // The chunks are below 32/8 tokens. The sections of "# Log" are siblings, "# Next" is not.
  EXPECT_EQ(Outline("# Log\na b c d\n## 1\nx\n## 2\ny\n# Next\nz\n", 32),
            (Texts{"[Log] # Log\na b c d", "[Log] ## 1\nx\n## 2\ny", "[Next] # Next\nz"}));
}

TEST(MarkdownChunker, ATinySectionBesideALargeOneIsAlone) {
  EXPECT_EQ(Outline("# Log\na b c d\n## 1\nx\n## 2\na b c d e\n## 3\nz\n", 32),
            (Texts{"[Log] # Log\na b c d", "[Log > 1] ## 1\nx", "[Log > 2] ## 2\na b c d e",
                   "[Log > 3] ## 3\nz"}));
}

TEST(MarkdownChunker, SetextHeadings) {
  EXPECT_EQ(Outline("Big\n===\na\n\nSmall title\non two lines\n---\nb\n", 12),
            (Texts{"[Big] Big\n===\na",
                   "[Big > Small title on two lines] Small title\non two lines\n---\nb"}));
}

TEST(MarkdownChunker, ThematicBreaksAreNoHeadings) {
  EXPECT_EQ(Headings("para\n\n---\n\nmore\n"), (Texts{""}));
  EXPECT_EQ(Headings("- item\n---\nmore\n"), (Texts{""}));
  EXPECT_EQ(Headings("> quote\n---\nmore\n"), (Texts{""}));
  EXPECT_EQ(Headings("| a |\n---\nmore\n"), (Texts{""}));
  EXPECT_EQ(Headings("    code\n---\nmore\n"), (Texts{""}));
  EXPECT_EQ(Headings("# H\n---\nmore\n"), (Texts{"H"}));
}

TEST(MarkdownChunker, NoHeadingsInsideFences) {
  EXPECT_EQ(Headings("# A\n```sh\n# not\nx\n===\n```\n"), (Texts{"A"}));
  EXPECT_EQ(Headings("# A\n~~~~\n~~~\n# not\n```\n~~~~\n# B\n", 5), (Texts{"A", "B"}));
  EXPECT_EQ(Headings("# A\n```\n# to the end\n"), (Texts{"A"}));
  EXPECT_EQ(Headings("# A\n``` code ```\n\n# B\nx\n"), (Texts{"A", "B"}));
}

TEST(MarkdownChunker, NoHeadingsInsideFencesOfLists) {
  EXPECT_EQ(Headings("- run\n\n  ```\n# ends the list and its fence\n"),
            (Texts{"", "ends the list and its fence"}));
  EXPECT_EQ(Headings("1. run\n\n     ```\n     # not\n     ```\n\n# B\n", 5), (Texts{"", "B"}));
  EXPECT_EQ(Headings("- ```\n  # not\n  ```\n# B\n", 5), (Texts{"", "B"}));
}

TEST(MarkdownChunker, NoHeadingsInsideHtmlComments) {
  EXPECT_EQ(Headings("# A\n<!--\n# not\n-->\n# B\n", 5), (Texts{"A", "B"}));
}

TEST(MarkdownChunker, NoHeadingsInsideIndentedCode) {
  EXPECT_EQ(Headings("# A\n\n    # not\n\n\t# nor\n"), (Texts{"A"}));
}

TEST(MarkdownChunker, AFenceThatFitsIsOneChunk) {
  EXPECT_EQ(Outline("a b c d e\n\n```\nf\n\ng\n```\n\nh i j k\n", 6),
            (Texts{"[] a b c d e", "[] ```\nf\n\ng\n```", "[] h i j k"}));
}

TEST(MarkdownChunker, AHeadingIsNeverLeftBehind) {
  const std::string text = "# A\n\n" + Words(6) + "\n\n## B\n\n" + Words(8, 6) + "\n";
  EXPECT_EQ(Outline(text, 10), (Texts{"[A] # A\n\n" + Words(6), "[A > B] ## B\n\n" + Words(8, 6)}));
}

TEST(MarkdownChunker, AHeadingStaysWithTextTooLongForAChunk) {
  EXPECT_EQ(Outline("# A\n\n" + Words(12), 8),
            (Texts{"[A] # A\n\n" + Words(6), "[A] " + Words(6, 6)}));
}

TEST(MarkdownChunker, FrontMatterIsOneBlockWithoutHeading) {
  EXPECT_EQ(Outline("---\ntitle: x\n# comment\n\nkey: y\n---\n# A\n\ntext\n", 10),
            (Texts{"[] ---\ntitle: x\n# comment\n\nkey: y\n---", "[A] # A\n\ntext"}));
  EXPECT_EQ(Outline("\xEF\xBB\xBF---\r\ntitle: x\r\n...\r\ntext\r\n", 4),
            (Texts{"[] \xEF\xBB\xBF---\r\ntitle: x\r\n...", "[] text"}));
}

TEST(MarkdownChunker, AByteOrderMarkDoesNotHideTheHeading) {
  EXPECT_EQ(Headings("\xEF\xBB\xBF# A\ntext\n"), (Texts{"A"}));
}

TEST(MarkdownChunker, ListsPartAtTheirItems) {
  EXPECT_EQ(Outline("- a b c\n  d\n- e f\n- g h\n", 8),
            (Texts{"[] - a b c\n  d\n- e f", "[] - g h"}));
}

TEST(MarkdownChunker, LongTitlesAreCut) {
  EXPECT_EQ(Headings("# " + std::string(100000, 'x') + "\n" + Words(1000), 256),
            (Texts{std::string(200, 'x')}));
}

TEST(MarkdownChunker, CarriageReturnsDoNotMatter) {
  EXPECT_EQ(Headings("# A #\r\n\r\ntext\r\n\r\nB\r\n---\r\ntext\r\n"), (Texts{"A", "A > B"}));
}

}  // namespace
}  // namespace recall
