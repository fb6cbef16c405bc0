#include "index/ngram/ngram_scanner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "tests/test_util.h"

namespace recall {
namespace {

using Grams = std::vector<uint32_t>;

Grams GramsOf(std::string_view text) {
  GramScanner scanner;
  Grams grams;
  scanner.Append(text, &grams);
  return grams;
}

size_t CountShared(const Grams& a, const Grams& b) {
  size_t shared = 0;
  for (const uint32_t gram : a) shared += std::ranges::count(b, gram) > 0;
  return shared;
}

TEST(GramScannerTest, WordsAreCutIntoFourCharacters) {
  EXPECT_EQ(GramsOf("colours").size(), 6u);  // <col colo olou lour ours urs>
  EXPECT_EQ(GramsOf("ab").size(), 1u);       // <ab>
  EXPECT_EQ(GramsOf("x").size(), 1u);
  EXPECT_EQ(GramsOf("abc").size(), 2u);  // <abc abc>
  EXPECT_EQ(GramsOf("").size(), 0u);
  EXPECT_EQ(GramsOf(" .,; \n").size(), 0u);
}

// Stores keep them.
TEST(GramScannerTest, HashesNeverChange) {
  EXPECT_EQ(GramsOf("ra"), (Grams{1377718002}));
  EXPECT_EQ(GramsOf("abc"), (Grams{3816938021, 1604559332}));
  EXPECT_EQ(GramsOf("日本語"), (Grams{4069584367, 2837399730}));
}

TEST(GramScannerTest, RelatedWordsShareGrams) {
  EXPECT_EQ(CountShared(GramsOf("colour"), GramsOf("colours")), 4u);
  EXPECT_GE(CountShared(GramsOf("Donaudampfschiff"), GramsOf("Dampfschiff")), 8u);
  EXPECT_EQ(CountShared(GramsOf("retreival"), GramsOf("retrieval")), 3u);  // a typing error
  EXPECT_EQ(CountShared(GramsOf("apple"), GramsOf("tundra")), 0u);
}

TEST(GramScannerTest, TextIsFolded) {
  EXPECT_EQ(GramsOf("Colours"), GramsOf("colours"));
  EXPECT_EQ(GramsOf("COLOURS"), GramsOf("colours"));
  EXPECT_EQ(GramsOf("ｃｏｌｏｕｒｓ"), GramsOf("colours"));  // full width
  EXPECT_EQ(GramsOf("Café"), GramsOf("cafe"));
  EXPECT_EQ(GramsOf("Cafe\xCC\x81"), GramsOf("cafe"));
}

TEST(GramScannerTest, IdentifiersComeInParts) {
  EXPECT_EQ(GramsOf("parseHttpHeader"), GramsOf("parse http header"));
  EXPECT_EQ(GramsOf("parse_http_header"), GramsOf("parse http header"));
  EXPECT_EQ(GramsOf("parse-http/header"), GramsOf("parse http header"));
}

TEST(GramScannerTest, FunctionWordsSayNothing) {
  EXPECT_EQ(GramsOf("The colour of it"), GramsOf("colour"));
  EXPECT_EQ(GramsOf("THE"), Grams());
}

TEST(GramScannerTest, ScriptsWithoutSpacesComeInPairs) {
  EXPECT_EQ(GramsOf("日本語").size(), 2u);
  EXPECT_EQ(CountShared(GramsOf("日本語"), GramsOf("日本人")), 1u);
  EXPECT_EQ(GramsOf("日").size(), 1u);
}

TEST(GramScannerTest, TextsAreCutAtWordsWhereverTheyStand) {
  Grams one_by_one;
  for (const std::string_view word : {"Größe", "42nd", "fooBar", "日本", "x", "und"}) {
    const Grams grams = GramsOf(word);
    one_by_one.insert(one_by_one.end(), grams.begin(), grams.end());
  }
  EXPECT_EQ(GramsOf("Größe 42nd\nfooBar(日本) x... und"), one_by_one);
  EXPECT_EQ(GramsOf("Größe\xFF\x34\x32nd fooBar 日本 x und"), one_by_one);
}

// A soft hyphen is dropped, but what has one is taken apart character by character.
TEST(GramScannerTest, AsciiIsReadAsEveryOtherScriptIs) {
  constexpr std::string_view kSoftHyphen = "\xC2\xAD";
  constexpr std::string_view kLetters = "abcsABCS019_";
  std::mt19937_64 random(TestSeed(11));
  for (int round = 0; round < 3000; ++round) {
    std::string plain, hyphened;
    for (size_t word = 0, words = random() % 4; word <= words; ++word) {
      // Not 60: up to there words are divided by case, and the hyphen counts.
      const size_t size = round % 10 == 0 ? 61 + random() % 10 : random() % 12;
      std::string letters;
      while (letters.size() < size) letters += kLetters[random() % kLetters.size()];
      plain += letters + " ";
      hyphened.append(letters).append(kSoftHyphen).append(" ");
    }
    ASSERT_EQ(GramsOf(plain), GramsOf(hyphened)) << plain;
  }
}

TEST(GramScannerTest, LongWordsEndWhereTokensDo) {
  EXPECT_EQ(GramsOf(std::string(100, 'q')), GramsOf(std::string(64, 'q')));
  EXPECT_EQ(GramsOf(std::string(64, 'q')).size(), 63u);
}

}  // namespace
}  // namespace recall
