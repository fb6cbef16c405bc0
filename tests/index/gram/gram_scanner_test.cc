#include "index/ngram/ngram_scanner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "tests/test_util.h"

namespace recall {
namespace {

using Ngrams = std::vector<uint32_t>;

Ngrams NgramsOf(std::string_view text) {
  NgramScanner scanner;
  Ngrams ngrams;
  scanner.Append(text, &ngrams);
  return ngrams;
}

size_t CountShared(const Ngrams& a, const Ngrams& b) {
  size_t shared = 0;
  for (const uint32_t ngram : a) shared += std::ranges::count(b, ngram) > 0;
  return shared;
}

TEST(NgramScannerTest, WordsAreCutIntoFourCharacters) {
  EXPECT_EQ(NgramsOf("colours").size(), 6u);  // <col colo olou lour ours urs>
  EXPECT_EQ(NgramsOf("ab").size(), 1u);       // <ab>
  EXPECT_EQ(NgramsOf("x").size(), 1u);
  EXPECT_EQ(NgramsOf("abc").size(), 2u);  // <abc abc>
  EXPECT_EQ(NgramsOf("").size(), 0u);
  EXPECT_EQ(NgramsOf(" .,; \n").size(), 0u);
}

// Stores keep them.
TEST(NgramScannerTest, HashesNeverChange) {
  EXPECT_EQ(NgramsOf("ra"), (Ngrams{1377718002}));
  EXPECT_EQ(NgramsOf("abc"), (Ngrams{3816938021, 1604559332}));
  EXPECT_EQ(NgramsOf("日本語"), (Ngrams{4069584367, 2837399730}));
}

TEST(NgramScannerTest, RelatedWordsShareNgrams) {
  EXPECT_EQ(CountShared(NgramsOf("colour"), NgramsOf("colours")), 4u);
  EXPECT_GE(CountShared(NgramsOf("Donaudampfschiff"), NgramsOf("Dampfschiff")), 8u);
  EXPECT_EQ(CountShared(NgramsOf("retreival"), NgramsOf("retrieval")), 3u);  // a typing error
  EXPECT_EQ(CountShared(NgramsOf("apple"), NgramsOf("tundra")), 0u);
}

TEST(NgramScannerTest, TextIsFolded) {
  EXPECT_EQ(NgramsOf("Colours"), NgramsOf("colours"));
  EXPECT_EQ(NgramsOf("COLOURS"), NgramsOf("colours"));
  EXPECT_EQ(NgramsOf("ｃｏｌｏｕｒｓ"), NgramsOf("colours"));  // full width
  EXPECT_EQ(NgramsOf("Café"), NgramsOf("cafe"));
  EXPECT_EQ(NgramsOf("Cafe\xCC\x81"), NgramsOf("cafe"));
}

TEST(NgramScannerTest, IdentifiersComeInParts) {
  EXPECT_EQ(NgramsOf("parseHttpHeader"), NgramsOf("parse http header"));
  EXPECT_EQ(NgramsOf("parse_http_header"), NgramsOf("parse http header"));
  EXPECT_EQ(NgramsOf("parse-http/header"), NgramsOf("parse http header"));
}

TEST(NgramScannerTest, FunctionWordsSayNothing) {
  EXPECT_EQ(NgramsOf("The colour of it"), NgramsOf("colour"));
  EXPECT_EQ(NgramsOf("THE"), Ngrams());
}

TEST(NgramScannerTest, ScriptsWithoutSpacesComeInPairs) {
  EXPECT_EQ(NgramsOf("日本語").size(), 2u);
  EXPECT_EQ(CountShared(NgramsOf("日本語"), NgramsOf("日本人")), 1u);
  EXPECT_EQ(NgramsOf("日").size(), 1u);
}

TEST(NgramScannerTest, TextsAreCutAtWordsWhereverTheyStand) {
  Ngrams one_by_one;
  for (const std::string_view word : {"Größe", "42nd", "fooBar", "日本", "x", "und"}) {
    const Ngrams ngrams = NgramsOf(word);
    one_by_one.insert(one_by_one.end(), ngrams.begin(), ngrams.end());
  }
  EXPECT_EQ(NgramsOf("Größe 42nd\nfooBar(日本) x... und"), one_by_one);
  EXPECT_EQ(NgramsOf("Größe\xFF\x34\x32nd fooBar 日本 x und"), one_by_one);
}

// A soft hyphen is dropped, but what has one is taken apart character by character.
TEST(NgramScannerTest, AsciiIsReadAsEveryOtherScriptIs) {
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
    ASSERT_EQ(NgramsOf(plain), NgramsOf(hyphened)) << plain;
  }
}

TEST(NgramScannerTest, LongWordsEndWhereTokensDo) {
  EXPECT_EQ(NgramsOf(std::string(100, 'q')), NgramsOf(std::string(64, 'q')));
  EXPECT_EQ(NgramsOf(std::string(64, 'q')).size(), 63u);
}

}  // namespace
}  // namespace recall
