#include <gtest/gtest.h>

#include <random>

#include "index/base/text/tokenizer.h"
#include "index/source/chunk/chunk_check.h"
#include "index/source/chunk/chunker.h"
#include "query/compat/recall01/recall01_document.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

struct Rebuilt {
  std::string text;
  std::vector<ChunkSpan> spans;
  std::vector<std::string> notes;
};

Rebuilt Rebuild(const std::vector<Recall01Chunk>& chunks) {
  TextRebuilder rebuilder;
  ImportWarnings notes;
  for (const Recall01Chunk& chunk : chunks) rebuilder.Add(chunk, "here", &notes);
  return {rebuilder.text(), rebuilder.spans(), notes.Sentences()};
}

Recall01Chunk Chunk(uint64_t offset, std::string text, uint32_t byte_in_token = 0) {
  Recall01Chunk chunk;
  chunk.offset = offset;
  chunk.byte_in_token = byte_in_token;
  chunk.text = std::move(text);
  return chunk;
}

TEST(TextRebuilderTest, OverlapsAreCutAndBlocksBeginLines) {
  const Rebuilt rebuilt = Rebuild({Chunk(0, "a b c d"), Chunk(3, "d e f"), Chunk(6, "g h")});
  EXPECT_EQ(rebuilt.text, "a b c d e f\ng h");
  EXPECT_TRUE(rebuilt.notes.empty());
  ASSERT_EQ(rebuilt.spans.size(), 3u);
  EXPECT_EQ(rebuilt.spans[1].start_byte, 6u);
  EXPECT_EQ(rebuilt.spans[1].end_byte, 11u);
  EXPECT_EQ(rebuilt.spans[2].start_line, 2u);
  EXPECT_EQ(rebuilt.spans[2].offset, 6u);
}

TEST(TextRebuilderTest, ManyChunksMayRepeatOneWord) {
  const Rebuilt rebuilt = Rebuild({Chunk(0, "a b c"), Chunk(1, "b c d"), Chunk(2, "c d e")});
  EXPECT_EQ(rebuilt.text, "a b c d e");
  EXPECT_TRUE(rebuilt.notes.empty());
}

TEST(TextRebuilderTest, AChunkInsideTheOneBeforeAddsNothing) {
  const Rebuilt rebuilt = Rebuild({Chunk(0, "a b c d"), Chunk(1, "b c"), Chunk(4, "e")});
  EXPECT_EQ(rebuilt.text, "a b c d\ne");
  EXPECT_EQ(rebuilt.spans[1].start_byte, 2u);
  EXPECT_EQ(rebuilt.spans[1].end_byte, 5u);
}

TEST(TextRebuilderTest, WhatIsMissingIsNoted) {
  const Rebuilt gap = Rebuild({Chunk(2, "a b"), Chunk(10, "c")});
  EXPECT_EQ(gap.text, "a b\nc");
  ASSERT_EQ(gap.notes.size(), 1u);
  EXPECT_TRUE(gap.notes[0].starts_with("places where text between two chunks is missing: 2"));
}

TEST(TextRebuilderTest, ChunksThatDisagreeAreBothKept) {
  const Rebuilt rebuilt = Rebuild({Chunk(0, "a b c"), Chunk(2, "X d"), Chunk(3, "d e")});
  EXPECT_EQ(rebuilt.text, "a b c\nX d e");
  ASSERT_EQ(rebuilt.notes.size(), 1u);
  EXPECT_TRUE(rebuilt.notes[0].starts_with("chunks that overlap the previous chunk but differ"));
}

TEST(TextRebuilderTest, WordsThatWereCutAreJoined) {
  const Rebuilt rebuilt = Rebuild({Chunk(0, "a bcd"), Chunk(1, "cdef", 1), Chunk(1, "gh", 5)});
  EXPECT_EQ(rebuilt.text, "a bcdefgh");
  EXPECT_TRUE(rebuilt.notes.empty());
}

TEST(TextRebuilderTest, IndentationBelongsToItsChunk) {
  const Rebuilt rebuilt = Rebuild({Chunk(0, "if x:\n    y"), Chunk(2, "    y\n    z")});
  EXPECT_EQ(rebuilt.text, "if x:\n    y\n    z");
  EXPECT_EQ(rebuilt.spans[1].start_byte, 6u);
  EXPECT_EQ(rebuilt.spans[1].start_line, 2u);
}

TEST(TextRebuilderTest, WhiteSpaceAloneIsNoChunk) {
  const Rebuilt rebuilt = Rebuild({Chunk(0, ""), Chunk(0, " \n ", 1), Chunk(1, "\xC2\xA0")});
  EXPECT_TRUE(rebuilt.text.empty());
  EXPECT_TRUE(rebuilt.spans.empty());
  EXPECT_EQ(rebuilt.notes.size(), 1u);
}

// Texts are rebuilt from the chunks of our chunker, except white space between chunks, and every
// span satisfies ChunkCheck.
TEST(TextRebuilderTest, RandomTextsComeTogetherAgain) {
  std::mt19937_64 random(TestSeed(51));
  for (int run = 0; run < 400; ++run) {
    std::string text;
    const size_t words = random() % 400;
    for (size_t i = 0; i < words; ++i) {
      const size_t length = random() % 30 == 0 ? 1 + random() % 300 : 1 + random() % 6;
      for (size_t j = 0; j < length; ++j) {
        random() % 5 == 0 ? text += "\xE6\xBC\xA2" : text += static_cast<char>('a' + random() % 3);
      }
      static const char* const kGaps[] = {" ", " ", "\n", "\n\n", "\t", "   ", "\xE3\x80\x80"};
      text += kGaps[random() % std::size(kGaps)];
    }
    ChunkOptions options;
    options.chunk_tokens = static_cast<uint32_t>(1 + random() % 20);
    options.overlap_tokens = static_cast<uint32_t>(random() % options.chunk_tokens);
    const auto parser = random() % 2 == 0 ? Parser::kPlain : Parser::kCode;
    const auto spans = ChunkText(text, parser, options);
    ChunkCheck original(text, false);
    std::vector<Recall01Chunk> chunks;
    for (const ChunkSpan& span : spans) {
      ASSERT_EQ(original.Objection(span), "") << "run " << run;
      chunks.push_back(Chunk(span.offset,
                             text.substr(span.start_byte, span.end_byte - span.start_byte),
                             span.byte_in_token));
    }
    const Rebuilt rebuilt = Rebuild(chunks);
    ASSERT_EQ(rebuilt.spans.size(), spans.size());
    EXPECT_TRUE(rebuilt.notes.empty()) << ::testing::PrintToString(rebuilt.notes);
    // No text is missing, so even the word offsets match.
    ChunkCheck check(rebuilt.text, false);
    for (size_t i = 0; i < spans.size(); ++i) {
      const ChunkSpan& span = rebuilt.spans[i];
      ASSERT_EQ(rebuilt.text.substr(span.start_byte, span.end_byte - span.start_byte),
                chunks[i].text);
      ASSERT_EQ(check.Objection(span), "") << "run " << run << " chunk " << i;
    }
    EXPECT_EQ(CountTokens(rebuilt.text), CountTokens(text));
  }
}

}  // namespace
}  // namespace recall
