#include "index/search/ngram/word_scanner.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "index/base/text/segment_analyzer.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using Words = std::vector<std::string>;

Words WordsOf(std::string_view text) {
  Words words;
  WordScanner().ForEach(text, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

// By the definition: segments are found character by character, and analysed as Unicode.
Words WordsByDefinition(std::string_view text) {
  Words words;
  WordScanner scanner;
  size_t at = 0;
  for (std::string_view segment = NextSegment(text, &at); !segment.empty();
       segment = NextSegment(text, &at)) {
    scanner.VisitOtherSegment(segment, [&](std::string_view word) { words.emplace_back(word); });
  }
  return words;
}

TEST(WordScannerTest, FoldsAndDividesWords) {
  EXPECT_EQ(WordsOf("The Colours of 42 HTTPServer_url, Größe"),
            (Words{"<colours>", "<42>", "<http>", "<server>", "<url>", "<große>"}));
  EXPECT_EQ(WordsOf("日本語"), (Words{"<日本>", "<本語>"}));
  EXPECT_EQ(WordsOf(""), Words());
  EXPECT_EQ(WordsOf("the, of; and"), Words());
}

// Text of ASCII is scanned eight bytes at a time, other text character by character.
TEST(WordScannerTest, FindsTheSameWordsHoweverTheTextIsScanned) {
  const std::string pieces[] = {"a",  "Z",  "q7",        "_",      " ",    "\n",       "-", ".",
                                "é",  "日", "本",        "\x80",   "\xf0", "fooBarId", "{", "@",
                                "[`", "/:", "the",       "X_yZ",   "ß",    "\u0301",   "0", "9",
                                "~",  "^",  "longWord_", "  \t  ", "ΣΑΣ",  "\u2028",   "z", "A"};
  std::mt19937_64 random(TestSeed(1));
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    const size_t count = random() % 30;
    const size_t kinds = 1 + random() % std::size(pieces);  // few kinds: long runs
    for (size_t i = 0; i < count; ++i) text += pieces[random() % kinds];
    ASSERT_EQ(WordsOf(text), WordsByDefinition(text)) << text;
  }
}

}  // namespace
}  // namespace recall
