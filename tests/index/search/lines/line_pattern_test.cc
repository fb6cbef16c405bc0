#include "index/search/lines/line_pattern.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <random>

namespace recall {
namespace {

using Found = std::vector<std::string>;

// "number:matched|matched" of each line.
Found LinesOf(const std::string& pattern, const std::string& text,
              const LinePatternOptions& options = {}) {
  const auto compiled = LinePattern::Compile(pattern, options);
  EXPECT_TRUE(compiled.has_value()) << pattern;
  Found found;
  if (!compiled) return found;
  compiled->ForEachLine(text, [&](MatchedLine&& line) {
    std::string row = std::to_string(line.number) + ":";
    for (const TextRange& match : line.matches) {
      row += (row.back() == ':' ? "" : "|") + text.substr(match.begin, match.end - match.begin);
    }
    found.push_back(row);
    return true;
  });
  return found;
}

// Takes the text apart and matches each line alone.
Found LinesByOne(const std::string& expression, const std::string& text) {
  const re2::RE2 regexp("(" + expression + ")");
  Found found;
  int number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    std::string row = std::to_string(number) + ":";
    bool matches = false;
    for (size_t from = 0; from <= line.size();) {
      re2::StringPiece match;
      if (!regexp.Match(line, from, line.size(), re2::RE2::UNANCHORED, &match, 1)) break;
      const size_t at = static_cast<size_t>(match.data() - line.data());
      row += (row.back() == ':' ? "" : "|") + std::string(match);
      from = at + std::max<size_t>(match.size(), 1);
      matches = true;
    }
    if (matches) found.push_back(row);
  }
  return found;
}

TEST(LinePatternTest, MatchesLinesAndNotWhatGoesOverThem) {
  const std::string text = "int a;\nint b;\n\nfloat a;";
  EXPECT_EQ(LinesOf("a", text), (Found{"1:a", "4:a|a"}));
  EXPECT_EQ(LinesOf("^int", text), (Found{"1:int", "2:int"}));
  EXPECT_EQ(LinesOf(";$", text), (Found{"1:;", "2:;", "4:;"}));
  EXPECT_EQ(LinesOf("^$", text), (Found{"3:"}));
  EXPECT_EQ(LinesOf("[^x]*b", text), (Found{"2:int b"}));
  EXPECT_EQ(LinesOf("a;\\sint", text), Found());
  EXPECT_EQ(LinesOf("\\n", text), Found());
  EXPECT_EQ(LinesOf("a", ""), Found());
  EXPECT_EQ(LinesOf("$", "x\n"), (Found{"1:"})) << "behind the last newline is no line";
}

TEST(LinePatternTest, Options) {
  const std::string text = "a+b = Cat\nconcat(a+b)\nCÄT ſet\n";
  EXPECT_EQ(LinesOf("a+b", text, {.is_literal = true}), (Found{"1:a+b", "2:a+b"}));
  EXPECT_EQ(LinesOf("cat", text, {.ignore_case = true}), (Found{"1:Cat", "2:cat"}));
  EXPECT_EQ(LinesOf("cät SET", text, {.ignore_case = true}), (Found{"3:CÄT ſet"}));
  EXPECT_EQ(LinesOf("cat", text, {.whole_words = true}), Found());
  EXPECT_EQ(LinesOf("cat|a", text, {.ignore_case = true, .whole_words = true}),
            (Found{"1:a|Cat", "2:a"}));
  EXPECT_EQ(LinesOf("Cat", text, {.is_literal = true, .whole_words = true}), (Found{"1:Cat"}));
}

TEST(LinePatternTest, InvalidPatterns) {
  for (const char* pattern : {"", "(", "a)(b", "[", "a**", "x\ny"}) {
    const auto compiled = LinePattern::Compile(pattern, {});
    ASSERT_FALSE(compiled.has_value()) << pattern;
    EXPECT_EQ(compiled.error().code(), StatusCode::kInvalidArgument);
    EXPECT_FALSE(compiled.error().hint().empty()) << pattern;
  }
  EXPECT_TRUE(LinePattern::Compile("(", {.is_literal = true}).has_value());
}

TEST(LinePatternTest, VisitsUntilItIsStopped) {
  const auto pattern = LinePattern::Compile("x", {});
  int visited = 0;
  pattern->ForEachLine("x\nx\nx\n", [&](MatchedLine&&) { return ++visited < 2; });
  EXPECT_EQ(visited, 2);
}

TEST(LinePatternTest, FindsWhatMatchingEachLineAloneFinds) {
  const std::vector<std::string> expressions = {
      "a",      "ab",     "a.b",           "a*",      "^a",   "b$",  "^$",  "a|bc",
      "(ab)+",  "[^a]",   "\\bab\\b",      "ab?c",    "x+ab", ".*c", "\\s", "c{2}",
      "(?i)AB", "^.{3}$", "[[:alpha:]]+ ", "\\x{e4}", "b\\B",
  };
  std::mt19937 random(7);
  const std::string letters = "aabbcc x\n\n";
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (size_t i = random() % 60; i > 0; --i) {
      switch (random() % 30) {
        case 0:
          text += "ä";
          break;
        case 1:
          text += '\xFF';
          break;
        case 2:
          text += "\r\n";
          break;
        default:
          text += letters[random() % letters.size()];
      }
    }
    for (const std::string& expression : expressions) {
      EXPECT_EQ(LinesOf(expression, text), LinesByOne(expression, text))
          << expression << " in " << text;
    }
  }
}

}  // namespace
}  // namespace recall
