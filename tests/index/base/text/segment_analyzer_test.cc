#include "index/base/text/segment_analyzer.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace recall {
namespace {

std::vector<std::string> TokensOf(SegmentAnalyzer& analyzer) {
  std::vector<std::string> tokens;
  for (const SegmentAnalyzer::Run& run : analyzer.runs()) {
    std::string& surface = tokens.emplace_back();
    analyzer.AppendSurface(run, &surface);
    analyzer.AppendTokens(run, &tokens.emplace_back());
  }
  return tokens;
}

// ASCII is analysed without Unicode's tables; the same segment before a letter of another script is
// not.
TEST(SegmentAnalyzerTest, AsciiIsDividedAndFoldedAsOtherText) {
  constexpr std::string_view kBytes = "aaabcszABCSZ0129___";
  std::mt19937 random(7);
  SegmentAnalyzer ascii;
  SegmentAnalyzer other;
  for (int round = 0; round < 5000; ++round) {
    std::string segment;
    const size_t size = random() % 8 == 0 ? random() % 150 : random() % 16;
    for (size_t i = 0; i <= size; ++i) segment += kBytes[random() % kBytes.size()];
    ascii.Analyze(segment);
    other.Analyze(segment + "_ж");
    std::vector<std::string> expected = TokensOf(other);
    expected.resize(expected.size() - 2);
    ASSERT_EQ(TokensOf(ascii), expected) << segment;
    ASSERT_EQ(ascii.identifier(), ascii.runs().size() > 1) << segment;
    std::string whole;
    std::string parts;
    ascii.AppendWhole(&whole);
    for (const SegmentAnalyzer::Run& run : ascii.runs()) {
      parts += std::string(ascii.Folded(run).begin(), ascii.Folded(run).end());
      ASSERT_EQ(ascii.Raw(run), other.Raw(other.runs()[&run - ascii.runs().data()])) << segment;
    }
    parts.resize(std::min<size_t>(parts.size(), 64));
    StemFrom(0, &parts);
    ASSERT_EQ(whole, parts) << segment;
  }
}

}  // namespace
}  // namespace recall
