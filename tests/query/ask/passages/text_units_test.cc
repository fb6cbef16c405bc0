#include "query/ask/passages/text_units.h"

#include <random>
#include <string>

#include "index/base/text/tokenizer.h"
#include "tests/test_util.h"

namespace recall {
namespace {

std::vector<std::string> Units(const std::string& text, bool is_code = false) {
  std::vector<std::string> units;
  for (const TextUnit& unit : CutUnits(text, is_code)) {
    units.push_back(text.substr(unit.start, unit.end - unit.start));
  }
  return units;
}

using Strings = std::vector<std::string>;

TEST(TextUnitsTest, SentencesAcrossLines) {
  EXPECT_EQ(Units("The first sentence goes on over\ntwo lines of text. The second one asks whether "
                  "it is short? \"The third is quoted, too, and ends here.\" Fine."),
            (Strings{"The first sentence goes on over\ntwo lines of text.",
                     "The second one asks whether it is short?",
                     "\"The third is quoted, too, and ends here.\"", "Fine."}));
}

TEST(TextUnitsTest, AnAbbreviationOrFragmentEndsNothing) {
  EXPECT_EQ(Units("Oh, no! Dr. Smith says that vol. 2 is the better one."),
            (Strings{"Oh, no! Dr. Smith says that vol. 2 is the better one."}));
}

TEST(TextUnitsTest, AHeadingBelongsToWhatFollows) {
  EXPECT_EQ(Units("# A title of more than eight words, as some are\n\n## Part\n\nText under it has "
                  "words enough.\n\nAnother paragraph\n"),
            (Strings{"# A title of more than eight words, as some are\n\n## Part\n\nText under it "
                     "has words enough.",
                     "Another paragraph"}));
}

TEST(TextUnitsTest, ItemsAndRowsAreUnits) {
  EXPECT_EQ(Units("- one item that has some words in it\n  - another, which is indented, of some "
                  "words\n2. a third with a number and more words\n"),
            (Strings{"- one item that has some words in it",
                     "  - another, which is indented, of some words",
                     "2. a third with a number and more words"}));
  EXPECT_EQ(Units("senior notes due | 2014 | 600 | 5.0\nother notes due | 2015 | 500 | 4.0\n"),
            (Strings{"senior notes due | 2014 | 600 | 5.0", "other notes due | 2015 | 500 | 4.0"}));
}

TEST(TextUnitsTest, CodeEndsAtBlankLinesOnly) {
  const std::string first = "int f(int a) {\n  return a + 1;  // one more. Really.\n}";
  const std::string second = "  int g(int b) { return b; }";
  EXPECT_EQ(Units(first + "\n\n" + second + "\n", true), (Strings{first, second}));
  const std::string fenced = "```c\n" + first + "\n```";
  EXPECT_EQ(Units("It is used as this example of ours shows:\n" + fenced +
                  "\n\nThen a sentence follows that has eight words. And one more.\n"),
            (Strings{"It is used as this example of ours shows:", fenced,
                     "Then a sentence follows that has eight words.", "And one more."}));
}

TEST(TextUnitsTest, LongUnitsAreCutAfterLines) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "key" + std::to_string(i) + " = value\n";
  const auto units = CutUnits(text, true);
  ASSERT_EQ(units.size(), 3u);
  EXPECT_EQ(units[0].tokens, 63);  // 21 lines of three tokens
  EXPECT_EQ(text.substr(units[1].start, 5), "key21");
}

TEST(TextUnitsTest, TextWithoutWhiteSpaceStaysWhole) {
  EXPECT_EQ(Units("第一句。第二句。第三句。"), (Strings{"第一句。第二句。第三句。"}));
}

TEST(TextUnitsTest, EveryTokenIsInExactlyOneUnit) {
  std::mt19937_64 random(TestSeed(5));
  const char* const kPieces[] = {"word",  "end.",  "\n",   "\n\n",        "- ",  "# ",
                                 "```\n", "| ",    " ",    "\t",          "3. ", "。",
                                 "x;y",   "(so.)", "\xFF", "\xE2\x80\x83"};
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (uint64_t i = random() % 400; i > 0; --i) {
      text += kPieces[random() % std::size(kPieces)];
      if (random() % 3 != 0) text += ' ';
    }
    uint64_t end = 0;
    int64_t tokens = 0;
    for (const TextUnit& unit : CutUnits(text, round % 4 == 0)) {
      ASSERT_LE(end, unit.start);
      ASSERT_LT(unit.start, unit.end);
      EXPECT_EQ(CountTokens(text.substr(end, unit.start - end)), 0u);
      EXPECT_EQ(CountTokens(text.substr(unit.start, unit.end - unit.start)),
                static_cast<uint64_t>(unit.tokens));
      EXPECT_GE(unit.tokens, 1);
      EXPECT_LE(unit.tokens, kLongestUnit);
      tokens += unit.tokens;
      end = unit.end;
    }
    EXPECT_EQ(static_cast<uint64_t>(tokens), CountTokens(text));
  }
}

}  // namespace
}  // namespace recall
