#include "index/base/text/tokenizer.h"
#include "tests/index/source/chunk/chunk_test_util.h"

namespace recall {
namespace {

std::vector<ChunkSpan> Chunk(std::string_view text, uint32_t chunk_tokens, uint32_t overlap = 0) {
  return ChunkText(text, Parser::kPlain, {chunk_tokens, overlap});
}

Texts CutPlain(std::string_view text, uint32_t chunk_tokens, uint32_t overlap = 0) {
  return ChunkTexts(text, Parser::kPlain, {chunk_tokens, overlap});
}

TEST(PlainChunker, NothingButWhiteSpaceGivesNoChunks) {
  EXPECT_TRUE(Chunk("", 8).empty());
  EXPECT_TRUE(Chunk(" \n\t\r\n\xC2\xA0\xE3\x80\x80\n", 8).empty());
}

TEST(PlainChunker, ParagraphsShareAChunkUntilItIsFull) {
  EXPECT_EQ(CutPlain("a b c\n\nd e f\n\ng h i\n", 6), (Texts{"a b c\n\nd e f", "g h i"}));
}

TEST(PlainChunker, AParagraphThatFitsIsNotSplit) {
  EXPECT_EQ(CutPlain("a b c d\n\ne f g h\n\ni", 5), (Texts{"a b c d", "e f g h\n\ni"}));
}

TEST(PlainChunker, KeepsTheBytesOfTheText) {
  EXPECT_EQ(CutPlain("\n\n  one\ttwo \r\n    three  \n\n", 8), (Texts{"  one\ttwo \r\n    three"}));
}

TEST(PlainChunker, SaysWhereEachChunkIs) {
  const std::string text = "a b\n\n\nc d\ne f\n";
  const std::vector<ChunkSpan> chunks = Chunk(text, 4);
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(chunks[0].start_line, 1u);
  EXPECT_EQ(chunks[0].end_line, 1u);
  EXPECT_EQ(chunks[1].start_byte, 6u);
  EXPECT_EQ(chunks[1].end_byte, 13u);
  EXPECT_EQ(chunks[1].start_line, 4u);
  EXPECT_EQ(chunks[1].end_line, 5u);
  EXPECT_EQ(chunks[1].offset, 2u);
  EXPECT_EQ(chunks[1].tokens, 4u);
  EXPECT_EQ(chunks[1].byte_in_token, 0u);
  EXPECT_EQ(chunks[1].heading, "");
}

TEST(PlainChunker, LongParagraphsBecomeOverlappingWindows) {
  EXPECT_EQ(CutPlain("a b c d e f g h i j", 4, 1), (Texts{"a b c d", "d e f g", "g h i j"}));
}

TEST(PlainChunker, WindowsEndAtLinesWhereTheyCan) {
  EXPECT_EQ(CutPlain("a b c d e f\ng h i j k l\nm n o p q r", 8),
            (Texts{"a b c d e f", "g h i j k l", "m n o p q r"}));
}

TEST(PlainChunker, WindowsStartAtLinesWhereTheyCan) {
  EXPECT_EQ(CutPlain("a b c d\ne f g h\ni j\nk l m n\no p q r", 12, 4),
            (Texts{"a b c d\ne f g h\ni j", "i j\nk l m n\no p q r"}));
}

TEST(PlainChunker, WindowsEndAtSentencesWhereLinesAreLong) {
  EXPECT_EQ(CutPlain("a b c d e f. g h i j k l (m?) n o p q", 8, 2),
            (Texts{"a b c d e f.", "e f. g h i j k l", "k l (m?) n o p q"}));
}

TEST(PlainChunker, WhatWasIntroducedStaysWithItsIntroduction) {
  // The single word is pending when a paragraph arrives that is too long for a chunk; both are cut
  // together.
  EXPECT_EQ(CutPlain("Intro:\n\na b c d e f g h i j", 8),
            (Texts{"Intro:\n\na b c d e f g", "h i j"}));
}

TEST(PlainChunker, OverlapIsAtMostHalfAChunk) {
  EXPECT_EQ(CutPlain("a b c d e f g h", 4, 3), CutPlain("a b c d e f g h", 4, 2));
}

TEST(PlainChunker, AChunkHasAtLeastOneToken) {
  EXPECT_EQ(CutPlain("a b c", 0, 0), (Texts{"a", "b", "c"}));
}

TEST(PlainChunker, CutsTokensTooLongForAChunk) {
  const std::string base64(1000, 'A');
  const std::vector<ChunkSpan> chunks = Chunk("x " + base64 + " y", 8);
  ASSERT_GT(chunks.size(), 5u);
  for (const ChunkSpan& chunk : chunks) EXPECT_LE(chunk.end_byte - chunk.start_byte, 128u);
  EXPECT_EQ(chunks[1].offset, 1u);
  EXPECT_GT(chunks[1].byte_in_token, 0u);
  EXPECT_EQ(chunks[1].byte_in_token, chunks[1].start_byte - 2);
  EXPECT_EQ(chunks[1].tokens, 1u);
}

TEST(PlainChunker, CutsTextWithoutSpacesAfterItsSentences) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "今日は天気がいいです。";
  const Texts chunks = CutPlain(text, 16);
  ASSERT_GT(chunks.size(), 4u);
  for (const std::string& chunk : chunks) EXPECT_TRUE(chunk.ends_with("。")) << chunk;
}

TEST(PlainChunker, CutsLongTokensBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "語";
  for (const std::string& chunk : CutPlain(text, 4, 1)) {
    EXPECT_EQ(chunk.size() % 3, 0u);
    EXPECT_TRUE(chunk.starts_with("語"));
  }
}

TEST(PlainChunker, LinesAreCountedByLineFeedsAlone) {
  const std::vector<ChunkSpan> chunks = Chunk(
      "a\rb\r\nc\x0B"
      "d\n\ne",
      4);
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(chunks[0].end_line, 2u);
  EXPECT_EQ(chunks[1].start_line, 4u);
}

TEST(PlainChunker, FarApartParagraphsDoNotShareAChunk) {
  const std::string text = "a" + std::string(10000, '\n') + "b";
  EXPECT_EQ(CutPlain(text, 8), (Texts{"a", "b"}));
}

TEST(PlainChunker, LeavesOutVeryDeepIndentation) {
  EXPECT_EQ(CutPlain(std::string(10000, ' ') + "deep", 8), (Texts{"deep"}));
  EXPECT_EQ(CutPlain("        shallow", 8), (Texts{"        shallow"}));
}

// This would take hours if any part were quadratic.
TEST(PlainChunker, IsLinearInHostileTexts) {
  const size_t n = 4 << 20;
  const std::string texts[] = {std::string(n, 'x'), std::string(n, '\n') + "x",
                               std::string(n, ' ') + "x", Words(n / 8)};
  for (const std::string& text : texts) {
    for (const Parser parser : {Parser::kPlain, Parser::kMarkdown, Parser::kCode}) {
      const std::vector<ChunkSpan> chunks = ChunkText(text, parser, {16, 8});
      ASSERT_FALSE(chunks.empty());
      EXPECT_LE(chunks.size(), n / 16);
    }
  }
}

}  // namespace
}  // namespace recall
