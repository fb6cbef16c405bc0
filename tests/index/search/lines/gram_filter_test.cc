#include "index/search/lines/gram_filter.h"

#include <gtest/gtest.h>

#include <random>

#include "index/search/lines/line_pattern.h"
#include "storage/base/bytes.h"
#include "storage/tables/text_grams.h"

namespace recall {
namespace {

bool MayMatch(const std::string& pattern, const std::string& text,
              const LinePatternOptions& options = {}) {
  const auto compiled = LinePattern::Compile(pattern, options);
  EXPECT_TRUE(compiled.has_value()) << pattern;
  return compiled->grams().MayMatch(AsBytes(MakeTextGrams(text)));
}

TEST(GramFilterTest, ExcludesTextsThatCannotMatch) {
  const std::string text = "static int ReadBlock(Store* store);\n";
  for (const char* pattern :
       {"WriteBlock", "Read(Line|Page)", "\\bPageCacheLine\\w+Store", "int.*commit"}) {
    EXPECT_FALSE(MayMatch(pattern, text)) << pattern;
  }
  EXPECT_FALSE(MayMatch("writeblock", text, {.ignore_case = true}));
  EXPECT_FALSE(MayMatch("ReadBlock(nullptr, 1)", text, {.is_literal = true}));
}

TEST(GramFilterTest, NoTextWithAMatchIsExcluded) {
  const std::vector<std::string> patterns = {
      "ask",         "(?i)ASK",   "a(sk|bs)c",   "k.*s", "[ks]at", "st+a",   "(abs)+",
      "(?:ask)?cab", "\\bcab\\b", "^sack|back$", "ß|ſt", "(?i)ſK", "cab{2}", ".",
  };
  const std::vector<std::string> letters = {"a", "b", "c", "k",  "s",      "t",      "K",
                                            "S", "A", " ", "\n", "\u212A", "\u017F", "ß"};
  std::mt19937 random(11);
  int matched = 0;
  for (int round = 0; round < 1000; ++round) {
    std::string text;
    for (size_t i = random() % 40; i > 0; --i) text += letters[random() % letters.size()];
    const std::string grams = MakeTextGrams(text);
    for (const std::string& pattern : patterns) {
      for (const bool ignore_case : {false, true}) {
        const auto compiled = LinePattern::Compile(pattern, {.ignore_case = ignore_case});
        bool matches = false;
        compiled->ForEachLine(text, [&](MatchedLine&&) { return !(matches = true); });
        matched += matches ? 1 : 0;
        if (matches) {
          EXPECT_TRUE(compiled->grams().MayMatch(AsBytes(grams))) << pattern << " in " << text;
        }
      }
    }
    // Each part of a line is a literal that the text contains.
    for (size_t begin = 0; begin + 3 < text.size(); begin += 10) {
      const std::string part = text.substr(begin, 1 + random() % 5);
      if (part.find('\n') != part.npos) continue;
      EXPECT_TRUE(MayMatch(part, text, {.is_literal = true})) << part << " in " << text;
    }
  }
  EXPECT_GT(matched, 1000);
}

}  // namespace
}  // namespace recall
