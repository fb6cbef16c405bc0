#include "query/ask/passages/passage_units.h"

#include <random>
#include <string>

#include "index/base/text/tokenizer.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using Strings = std::vector<std::string>;
using Kind = PassageUnit::Kind;

Strings PassagesOf(const std::string& text, bool is_code = false) {
  Strings units;
  for (const PassageUnit& unit : CutPassageUnits(text, is_code, true)) {
    units.push_back(text.substr(unit.start, unit.end - unit.start));
  }
  return units;
}

TEST(PassageUnitsTest, RowsNeedTheHeaderOfTheirTable) {
  const std::string text =
      "# Codes\n\n| code | meaning |\n| --- | --- |\n| 0 | good |\n| 5 | busy |\n";
  const auto units = CutPassageUnits(text, false, true);
  EXPECT_EQ(PassagesOf(text), (Strings{"# Codes", "| code | meaning |\n| --- | --- |",
                                       "| 0 | good |", "| 5 | busy |"}));
  EXPECT_EQ(units[0].kind, Kind::kHeading);
  EXPECT_EQ(units[1].kind, Kind::kHeader);
  EXPECT_EQ(units[3].header, 1u);
  EXPECT_EQ(units[3].heading, 0u);
}

TEST(PassageUnitsTest, ItemsEntriesAndDefinitionsAreWhole) {
  EXPECT_EQ(PassagesOf("* Add a list. It may be long, and goes\n  on here.\n* Another item.\n"),
            (Strings{"* Add a list. It may be long, and goes\n  on here.", "* Another item."}));
  EXPECT_EQ(PassagesOf("--width N\n    The width. The default is 7.\n--depth N\n    The depth.\n"),
            (Strings{"--width N\n    The width. The default is 7.", "--depth N\n    The depth."}));
  EXPECT_EQ(PassagesOf("gc.auto\n: How many there may be. The default is 6700.\n"),
            (Strings{"gc.auto\n: How many there may be. The default is 6700."}));
}

TEST(PassageUnitsTest, LinesOfSettingsAndCodeAreUnits) {
  EXPECT_EQ(PassagesOf("[Journal]\n#Storage=auto\nLineMax=48K\n"),
            (Strings{"[Journal]", "#Storage=auto", "LineMax=48K"}));
  EXPECT_EQ(
      PassagesOf("#include <a.h>\n#include <b.h>\n#define SIZE 20\nint f() {\n  return 1;\n}\n",
                 true),
      (Strings{"#include <a.h>\n#include <b.h>", "#define SIZE 20", "int f() {",
               "  return 1;\n}"}));
}

TEST(PassageUnitsTest, AKeyHeadsTheLinesUnderIt) {
  const std::string text = "{\n  \"peers\": {\n    \"a\": \"1\"\n  },\n  \"main\": \"x.js\"\n}\n";
  const auto units = CutPassageUnits(text, true, true);
  ASSERT_EQ(PassagesOf(text, true),
            (Strings{"{", "  \"peers\": {", "    \"a\": \"1\"\n  },", "  \"main\": \"x.js\"\n}"}));
  EXPECT_EQ(units[2].heading, 1u);
  EXPECT_FALSE(units[3].heading);
}

TEST(PassageUnitsTest, ASentenceLeadsIntoTheBlockAfterIt) {
  const auto units = CutPassageUnits(
      "First you take the loom out of the hall:\n\n    loom detach\n\nNothing more is needed.\n",
      false, true);
  ASSERT_EQ(units.size(), 3u);
  EXPECT_EQ(units[1].lead_in, 0u);
  EXPECT_FALSE(units[2].lead_in);
}

TEST(PassageUnitsTest, ProseIsCutIntoSentences) {
  EXPECT_EQ(PassagesOf("The first sentence goes on over\ntwo lines of text. The second one asks "
                       "whether it is short? Fine."),
            (Strings{"The first sentence goes on over\ntwo lines of text.",
                     "The second one asks whether it is short?", "Fine."}));
}

TEST(PassageUnitsTest, FrontMatterStandsAtTheBeginningOnly) {
  const std::string text = "---\ntitle: A\ncategory: B\n---\n\nText.\n";
  EXPECT_EQ(CutPassageUnits(text, false, true)[0].kind, Kind::kMatter);
  for (const PassageUnit& unit : CutPassageUnits(text, false, false)) {
    EXPECT_NE(unit.kind, Kind::kMatter);
  }
}

TEST(PassageUnitsTest, EveryTokenIsInExactlyOneUnit) {
  std::mt19937_64 random(TestSeed(6));
  const char* const kPieces[] = {"word", "end.", "\n",  "\n\n", "- ",       "# ",       "```\n",
                                 "| ",   "---",  "\t",  "3. ",  "\n: ",     "(so.)",    "\xFF",
                                 "key=", "\n  ", ".TP", "a:",   "\"k\": {", "\n\n    ", "import "};
  for (int round = 0; round < 600; ++round) {
    std::string text;
    for (uint64_t i = random() % 400; i > 0; --i) {
      text += kPieces[random() % std::size(kPieces)];
      if (random() % 3 != 0) text += ' ';
    }
    uint64_t end = 0;
    int64_t tokens = 0;
    const auto units = CutPassageUnits(text, round % 4 == 0, round % 2 == 0);
    for (size_t i = 0; i < units.size(); ++i) {
      const PassageUnit& unit = units[i];
      ASSERT_LE(end, unit.start);
      ASSERT_LT(unit.start, unit.end);
      EXPECT_EQ(CountTokens(text.substr(end, unit.start - end)), 0u);
      EXPECT_EQ(CountTokens(text.substr(unit.start, unit.end - unit.start)),
                static_cast<uint64_t>(unit.tokens));
      EXPECT_LE(unit.tokens, kLongestUnit);
      for (const auto& needed : {unit.heading, unit.header, unit.lead_in}) {
        if (needed) {
          EXPECT_LT(*needed, i);
        }
      }
      tokens += unit.tokens;
      end = unit.end;
    }
    EXPECT_EQ(static_cast<uint64_t>(tokens), CountTokens(text)) << text;
  }
}

}  // namespace
}  // namespace recall
