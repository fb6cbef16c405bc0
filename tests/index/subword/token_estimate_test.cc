// The estimate of a model's tokens. How near it is to public vocabularies is measured by
// bench/token_estimate; these tests check what callers rely on.

#include "index/subword/token_estimate.h"

#include <random>
#include <string>

#include "index/base/text/utf8.h"
#include "index/subword/token_features.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// The smallest and the largest number of tokens in cl100k_base, o200k_base, Llama 3, Qwen 3 and
// Gemma 3.
TEST(TokenEstimateTest, CountsAboutWhatPublicVocabulariesCount) {
  const struct {
    std::string text;
    int64_t least, most;
  } kTexts[] = {
      {"The writer recovers after a crash: it reads the log and drops what was not committed.", 18,
       19},
      {"Die Datenschutzgrundverordnung regelt die Verarbeitung personenbezogener Daten.", 13, 21},
      {"for (size_t i = 0; i < rows.size(); ++i) {\n    if (rows[i].empty()) continue;\n    total "
       "+= "
       "rows[i].front();\n}\n",
       37, 45},
      {"| name | unit | value |\n| --- | --- | ---: |\n| latency_ms | ms | 12.75 |\n| throughput | "
       "docs/s | 48,310 |\n",
       37, 48},
      {"\u6570\u636E\u5E93\u5728\u5D29\u6E83\u4E4B\u540E\u6062\u590D\uFF1A\u5B83\u8BFB\u53D6"
       "\u65E5\u5FD7\uFF0C\u4E22\u5F03\u6CA1\u6709\u63D0\u4EA4\u7684\u5185\u5BB9\u3002",
       16, 29},
  };
  for (const auto& [text, least, most] : kTexts) {
    EXPECT_GE(EstimateTokens(text), least - least / 10) << text;
    EXPECT_LE(EstimateTokens(text), most + most / 10) << text;
  }
}

TEST(TokenEstimateTest, OnlyAnEmptyTextHasNoTokens) {
  EXPECT_EQ(EstimateTokens(""), 0);
  for (int byte = 0; byte < 256; ++byte) {
    EXPECT_GE(EstimateTokens(std::string(1, static_cast<char>(byte))), 1) << byte;
  }
}

// Random bytes and characters of all kinds, with many white spaces.
std::string RandomCharacters(std::mt19937_64& random, size_t count) {
  static constexpr uint32_t kFirst[] = {' ',   ' ',    '\n',   'a',    'A',   '0',     '!',   0x80,
                                        0x3B1, 0x4E00, 0x3040, 0xAC00, 0x900, 0x1F600, 0x2500};
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    if (random() % 20 == 0) {
      text += static_cast<char>(random());
      continue;
    }
    const uint32_t first = kFirst[random() % std::size(kFirst)];
    AppendUtf8(first + (first > ' ' ? static_cast<uint32_t>(random() % 20) : 0), &text);
  }
  return text;
}

// What PrefixThatFits relies on.
TEST(TokenEstimateTest, PrefixesOfWholeWordsNeverHaveMore) {
  std::mt19937_64 random(TestSeed(5));
  for (int round = 0; round < 300; ++round) {
    const std::string text = RandomCharacters(random, 1 + random() % 80);
    int64_t before = 0;
    for (size_t end = 1; end <= text.size(); ++end) {
      const bool ends_word = static_cast<uint8_t>(text[end - 1]) > ' ' &&
                             (end == text.size() || static_cast<uint8_t>(text[end]) <= ' ');
      if (!ends_word) continue;
      const int64_t now = EstimateTokens(std::string_view(text).substr(0, end));
      EXPECT_GE(now, before) << text;
      before = now;
    }
  }
}

// A long text costs the sum of its lines, but for what the ends of lines change.
TEST(TokenEstimateTest, LinesAddUp) {
  std::mt19937_64 random(TestSeed(6));
  for (int round = 0; round < 100; ++round) {
    std::string text;
    int64_t sum = 0;
    const int lines = 1 + static_cast<int>(random() % 30);
    for (int i = 0; i < lines; ++i) {
      const std::string line = "x" + RandomCharacters(random, random() % 40) + "x";
      text += (i > 0 ? "\n" : "") + line;
      sum += EstimateTokens(line);
    }
    EXPECT_NEAR(static_cast<double>(EstimateTokens(text)), static_cast<double>(sum), 1.0 * lines)
        << text;
  }
}

// The features are the same however the text was cut before: the scanner has no hidden state.
TEST(TokenEstimateTest, EveryFeatureIsInTheTable) {
  std::mt19937_64 random(TestSeed(7));
  for (int round = 0; round < 200; ++round) {
    ScanTokenFeatures(RandomCharacters(random, 200), [](size_t feature, uint32_t times) {
      EXPECT_LT(feature, static_cast<size_t>(kTokenFeatures));
      EXPECT_GE(times, 1u);
    });
  }
}

}  // namespace
}  // namespace recall
