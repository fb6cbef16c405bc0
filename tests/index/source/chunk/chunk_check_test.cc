#include "index/source/chunk/chunk_check.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

TEST(ChunkCheckTest, SpansMustAscendAndLieBetweenCharacters) {
  const std::string text = "one \xE6\xBC\xA2 three";
  const auto span = [](uint64_t start, uint64_t end, uint64_t offset, uint32_t tokens) {
    ChunkSpan made;
    made.start_byte = start;
    made.end_byte = end;
    made.offset = offset;
    made.tokens = tokens;
    return made;
  };
  EXPECT_EQ(ChunkCheck(text, false).Objection(span(0, 7, 0, 2)), "");
  EXPECT_NE(ChunkCheck(text, false).Objection(span(0, 5, 0, 2)), "");
  EXPECT_NE(ChunkCheck(text, false).Objection(span(5, 7, 1, 1)), "");
  EXPECT_NE(ChunkCheck(text, false).Objection(span(3, 4, 1, 0)), "") << "no word";
  EXPECT_NE(ChunkCheck(text, false).Objection(span(0, 7, 0, 3)), "");
  EXPECT_NE(ChunkCheck(text, false).Objection(span(4, 7, 0, 1)), "");
  EXPECT_EQ(ChunkCheck(text, true).Objection(span(4, 7, 0, 1)), "") << "offsets may not fit";
  ChunkCheck check(text, false);
  EXPECT_EQ(check.Objection(span(4, 7, 1, 1)), "");
  EXPECT_NE(check.Objection(span(0, 3, 0, 1)), "");
}

}  // namespace
}  // namespace recall
