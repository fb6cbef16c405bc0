#include "index/search/ngram/ngram_scanner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "tests/test_util.h"

namespace recall {
namespace {

using Ngrams = std::vector<uint32_t>;

Ngrams ScannedNgrams(std::string_view text) {
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
  EXPECT_EQ(ScannedNgrams("colours").size(), 6u);  // <col colo olou lour ours urs>
  EXPECT_EQ(ScannedNgrams("ab").size(), 1u);       // <ab>
  EXPECT_EQ(ScannedNgrams("x").size(), 1u);
  EXPECT_EQ(ScannedNgrams("abc").size(), 2u);  // <abc abc>
  EXPECT_EQ(ScannedNgrams("").size(), 0u);
  EXPECT_EQ(ScannedNgrams(" .,; \n").size(), 0u);
}

// Stores contain these hashes.
TEST(NgramScannerTest, HashesNeverChange) {
  EXPECT_EQ(ScannedNgrams("ra"), (Ngrams{1377718002}));
  EXPECT_EQ(ScannedNgrams("abc"), (Ngrams{3816938021, 1604559332}));
  EXPECT_EQ(ScannedNgrams("日本語"), (Ngrams{4069584367, 2837399730}));
}

TEST(NgramScannerTest, RelatedWordsShareNgrams) {
  EXPECT_EQ(CountShared(ScannedNgrams("colour"), ScannedNgrams("colours")), 4u);
  EXPECT_GE(CountShared(ScannedNgrams("Donaudampfschiff"), ScannedNgrams("Dampfschiff")), 8u);
  EXPECT_EQ(CountShared(ScannedNgrams("retreival"), ScannedNgrams("retrieval")),
            3u);  // a spelling error
  EXPECT_EQ(CountShared(ScannedNgrams("apple"), ScannedNgrams("tundra")), 0u);
}

TEST(NgramScannerTest, TextIsFolded) {
  EXPECT_EQ(ScannedNgrams("Colours"), ScannedNgrams("colours"));
  EXPECT_EQ(ScannedNgrams("COLOURS"), ScannedNgrams("colours"));
  EXPECT_EQ(ScannedNgrams("ｃｏｌｏｕｒｓ"), ScannedNgrams("colours"));  // full width
  EXPECT_EQ(ScannedNgrams("Café"), ScannedNgrams("cafe"));
  EXPECT_EQ(ScannedNgrams("Cafe\xCC\x81"), ScannedNgrams("cafe"));
}

TEST(NgramScannerTest, IdentifiersComeInParts) {
  EXPECT_EQ(ScannedNgrams("parseHttpHeader"), ScannedNgrams("parse http header"));
  EXPECT_EQ(ScannedNgrams("parse_http_header"), ScannedNgrams("parse http header"));
  EXPECT_EQ(ScannedNgrams("parse-http/header"), ScannedNgrams("parse http header"));
}

TEST(NgramScannerTest, FunctionWordsSayNothing) {
  EXPECT_EQ(ScannedNgrams("The colour of it"), ScannedNgrams("colour"));
  EXPECT_EQ(ScannedNgrams("THE"), Ngrams());
}

TEST(NgramScannerTest, ScriptsWithoutSpacesComeInPairs) {
  EXPECT_EQ(ScannedNgrams("日本語").size(), 2u);
  EXPECT_EQ(CountShared(ScannedNgrams("日本語"), ScannedNgrams("日本人")), 1u);
  EXPECT_EQ(ScannedNgrams("日").size(), 1u);
}

TEST(NgramScannerTest, TextsAreCutAtWordsWhereverTheyStand) {
  Ngrams one_by_one;
  for (const std::string_view word : {"Größe", "42nd", "fooBar", "日本", "x", "und"}) {
    const Ngrams ngrams = ScannedNgrams(word);
    one_by_one.insert(one_by_one.end(), ngrams.begin(), ngrams.end());
  }
  EXPECT_EQ(ScannedNgrams("Größe 42nd\nfooBar(日本) x... und"), one_by_one);
  EXPECT_EQ(ScannedNgrams("Größe\xFF\x34\x32nd fooBar 日本 x und"), one_by_one);
}

// A soft hyphen is ignored, but a word that contains one is read character by character.
TEST(NgramScannerTest, AsciiIsReadAsEveryOtherScriptIs) {
  constexpr std::string_view kSoftHyphen = "\xC2\xAD";
  constexpr std::string_view kLetters = "abcsABCS019_";
  std::mt19937_64 random(TestSeed(11));
  for (int round = 0; round < 3000; ++round) {
    std::string plain, hyphened;
    for (size_t word = 0, words = random() % 4; word <= words; ++word) {
      // Words of up to 60 characters, including the hyphen, are split by case; so 60 is excluded.
      const size_t size = round % 10 == 0 ? 61 + random() % 10 : random() % 12;
      std::string letters;
      while (letters.size() < size) letters += kLetters[random() % kLetters.size()];
      plain += letters + " ";
      hyphened.append(letters).append(kSoftHyphen).append(" ");
    }
    ASSERT_EQ(ScannedNgrams(plain), ScannedNgrams(hyphened)) << plain;
  }
}

TEST(NgramScannerTest, LongWordsEndWhereTokensDo) {
  EXPECT_EQ(ScannedNgrams(std::string(100, 'q')), ScannedNgrams(std::string(64, 'q')));
  EXPECT_EQ(ScannedNgrams(std::string(64, 'q')).size(), 63u);
}

}  // namespace
}  // namespace recall
