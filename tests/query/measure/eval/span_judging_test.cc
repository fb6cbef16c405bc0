// Judging packed tokens against relevant spans, compared with values computed by hand.

#include "query/measure/eval/span_judging.h"

#include <gtest/gtest.h>

#include <string>

namespace recall {
namespace {

using Range = DocumentTokens::Range;

std::string Show(Range range) {
  return std::to_string(range.begin) + "-" + std::to_string(range.end);
}

TEST(DocumentTokens, AreRunsBetweenWhiteSpaceOfAnyKind) {
  // "Käse" has 5 bytes; U+00A0 and U+3000 are white space of 2 and 3 bytes.
  const DocumentTokens tokens(" Käse\u00A0ist\n\u3000gut.");
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(Show(tokens.Bytes({0, 1})), "1-6");
  EXPECT_EQ(Show(tokens.Bytes({1, 2})), "8-11");
  EXPECT_EQ(Show(tokens.Bytes({2, 3})), "15-19");
  EXPECT_EQ(Show(tokens.Bytes({0, 3})), "1-19");
  EXPECT_EQ(DocumentTokens("").size(), 0u);
  EXPECT_EQ(DocumentTokens(" \n").size(), 0u);
}

TEST(DocumentTokens, ARangeTouchesWhatItHasAByteOf) {
  const DocumentTokens tokens("aa bb cc");  // 0-2, 3-5, 6-8
  EXPECT_EQ(Show(tokens.Touched({0, 8})), "0-3");
  EXPECT_EQ(Show(tokens.Touched({3, 5})), "1-2");
  EXPECT_EQ(Show(tokens.Touched({1, 4})), "0-2");  // one byte of each
  EXPECT_EQ(Show(tokens.Touched({2, 6})), "1-2");  // ends where cc starts
  EXPECT_EQ(Show(tokens.Touched({7, 100})), "2-3");
  for (const Range none : {Range{2, 3}, Range{5, 6}, Range{4, 4}, Range{8, 9}}) {
    const Range touched = tokens.Touched(none);
    EXPECT_EQ(touched.begin, touched.end) << Show(none);
  }
}

TEST(SpanJudging, ByHand) {
  // The spans are tokens 10 to 19 and 30 to 34 of document 0, 15 in all. Packed are 15 to 34 of
  // document 0, and 10 to 19 of document 1, 30 in all. The intersection is 15 to 19 and 30 to 34,
  // 10 in all. Recall 10/15, precision 10/30, IoU 10/(15 + 30 - 10) = 10/35.
  TokenSet spans;
  spans.Add(0, {10, 20});
  spans.Add(0, {30, 35});
  TokenSet packed;
  packed.Add(1, {10, 20});
  packed.Add(0, {15, 35});
  const SpanQuality quality = JudgePacked(packed, spans);
  EXPECT_DOUBLE_EQ(quality.token_recall, 10.0 / 15);
  EXPECT_DOUBLE_EQ(quality.precision, 10.0 / 30);
  EXPECT_DOUBLE_EQ(quality.iou, 10.0 / 35);
}

TEST(SpanJudging, TokensCountOnce) {
  // Two overlapping spans have 15 tokens, which count once, even if they are packed twice.
  TokenSet spans;
  spans.Add(0, {0, 10});
  spans.Add(0, {5, 15});
  EXPECT_EQ(spans.size(), 15u);
  TokenSet packed;
  packed.Add(0, {0, 15});
  packed.Add(0, {0, 15});
  const SpanQuality quality = JudgePacked(packed, spans);
  EXPECT_EQ(quality.token_recall, 1);
  EXPECT_EQ(quality.precision, 1);
  EXPECT_EQ(quality.iou, 1);
}

TEST(SpanJudging, NothingInCommonIsZero) {
  TokenSet spans;
  spans.Add(0, {0, 10});
  TokenSet elsewhere;
  elsewhere.Add(1, {0, 10});
  for (const TokenSet& packed : {TokenSet(), elsewhere}) {
    const SpanQuality quality = JudgePacked(packed, spans);
    EXPECT_EQ(quality.token_recall, 0);
    EXPECT_EQ(quality.precision, 0);
    EXPECT_EQ(quality.iou, 0);
  }
}

}  // namespace
}  // namespace recall
