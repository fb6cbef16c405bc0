#include "index/base/glob/glob_matcher.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "index/base/text/utf8.h"
#include "tests/test_util.h"

namespace recall {
namespace {

bool Matches(std::string_view pattern, std::string_view text, GlobDialect dialect) {
  const auto glob = Glob::Compile(pattern, dialect);
  EXPECT_TRUE(glob.has_value()) << pattern;
  const bool matches = GlobMatcher(*glob).Matches(text);
  EXPECT_EQ(glob->Matches(text), matches) << pattern << " on " << text;
  return matches;
}

TEST(GlobLike, MatchesWholeTexts) {
  const struct {
    const char* pattern;
    const char* text;
    bool matches;
  } cases[] = {
      {"", "", true},
      {"", "a", false},
      {"abc", "abc", true},
      {"abc", "abcd", false},
      {"abc", "ABC", false},
      {"%", "", true},
      {"%", "a/b\nc", true},
      {"a%", "a", true},
      {"a%", "ba", false},
      {"%a", "ba/a", true},
      {"%b%", "abc", true},
      {"%b%", "ac", false},
      {"a%%c", "ac", true},
      {"_", "a", true},
      {"_", "", false},
      {"_", "/", true},
      {"_", "\n", true},
      {"_", "é", true},
      {"__", "é", false},
      {"_", "\xff", true},
      {"a_c", "abc", true},
      {"a_c", "ac", false},
      {"%_", "", false},
      {"%_%_%", "ab", true},
      {"%_%_%", "a", false},
      {"%ab%ab%", "abab", true},
      {"%ab%ab%", "aba", false},
      {"%aab", "aaab", true},
      {"\\%", "%", true},
      {"\\%", "a", false},
      {"\\_", "_", true},
      {"\\_", "a", false},
      {"\\\\", "\\", true},
      {"\\a", "a", true},
      // Special characters of globs are literal here.
      {"*", "a", false},
      {"[a]", "[a]", true},
      {"{a,b}", "a", false},
      {"a?", "ab", false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Matches(c.pattern, c.text, GlobDialect::kLike), c.matches)
        << c.pattern << " on " << c.text;
  }
  EXPECT_FALSE(Glob::Compile("a\\", GlobDialect::kLike));
}

TEST(GlobLike, BytesThatAreNoCharacterAreThemselves) {
  EXPECT_TRUE(Matches("caf\xe9%", "caf\xe9s", GlobDialect::kLike));
  EXPECT_TRUE(Matches("%\xe9_", "caf\xe9s", GlobDialect::kLike));
  EXPECT_FALSE(Matches("%\xef\xbf\xbd%", "caf\xe9s", GlobDialect::kLike)) << "not U+FFFD";
  EXPECT_TRUE(Matches("*\xe9?", "caf\xe9s", GlobDialect::kRecall));
}

TEST(GlobMatcher, KnowsTheLiteralBeginning) {
  EXPECT_EQ(Glob::Compile("docs/é/**", GlobDialect::kRecall)->prefix(), "docs/é/");
  EXPECT_EQ(Glob::Compile("a\\*b", GlobDialect::kRecall)->prefix(), "a*b");
  EXPECT_EQ(Glob::Compile("a_%", GlobDialect::kLike)->prefix(), "a");
}

class RandomGlobs {
 public:
  explicit RandomGlobs(uint64_t seed) : random_(seed) {}

  std::string From(const std::vector<std::string>& pieces, size_t most) {
    std::string text;
    for (size_t i = random_() % (most + 1); i > 0; --i) text += pieces[random_() % pieces.size()];
    return text;
  }
  std::mt19937_64& random() { return random_; }

 private:
  std::mt19937_64 random_;
};

TEST(GlobMatcher, AgreesWithTheGlobItRuns) {
  const uint64_t seed = TestSeed(1);
  RandomGlobs globs(seed);
  const std::vector<std::string> pieces = {"a",   "b", "/",   "é",    "日",    "*",      "**",
                                           "**/", "?", "%",   "_",    "[a-é]", "[!b]",   "{",
                                           "}",   ",", "\\*", "\xff", "ab",    "{a,b/}", "/**"};
  const std::vector<std::string> letters = {"a", "b", "/", "é", "日", "\xff", "\xef\xbf\xbd", "c"};
  int readable = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string pattern = globs.From(pieces, 8);
    for (const auto dialect : {GlobDialect::kRecall, GlobDialect::kGitignore, GlobDialect::kLike}) {
      const auto glob = Glob::Compile(pattern, dialect);
      if (!glob) continue;
      ++readable;
      GlobMatcher matcher(*glob);
      for (int j = 0; j < 20; ++j) {
        const std::string text = globs.From(letters, 8);
        ASSERT_EQ(matcher.Matches(text), glob->Matches(text))
            << "seed " << seed << ": " << pattern << " on " << text;
        if (glob->Matches(text)) {
          ASSERT_TRUE(text.starts_with(glob->prefix())) << pattern << " on " << text;
        }
      }
    }
  }
  EXPECT_GT(readable, 3000);
}

// Texts in order, as in an index: a matcher begins where a text differs from the one before.
TEST(GlobMatcher, AgreesOnTextsThatBeginAlike) {
  const uint64_t seed = TestSeed(4);
  RandomGlobs globs(seed);
  const std::vector<std::string> pieces = {"a",      "b",  "/",   "é",     "日/", "*",
                                           "**/",    "**", "?",   "[a-é]", "_/",  "%",
                                           "{a,b/}", "ab", "/ab", "\xff",  "mm/", "{mm,ab}"};
  const std::vector<std::string> letters = {"a",    "b",        "/",  "é",  "日",
                                            "\xff", "\xe6\x97", "mm", "mm/"};
  for (int i = 0; i < 600; ++i) {
    std::vector<std::string> texts;
    for (int j = 0; j < 60; ++j) {
      const std::string start =
          texts.empty() || j % 10 == 0
              ? std::string(globs.random()() % 4 == 0 ? 600 : 0, 'a')
              : texts.back().substr(0, globs.random()() % (texts.back().size() + 1));
      texts.push_back(start + globs.From(letters, 8));
    }
    if (i % 2 == 0) std::ranges::sort(texts);
    const std::string pattern = globs.From(pieces, 7);
    for (const auto dialect : {GlobDialect::kRecall, GlobDialect::kLike}) {
      const auto glob = Glob::Compile(pattern, dialect);
      if (!glob) continue;
      GlobMatcher matcher(*glob);
      for (const std::string& text : texts) {
        const bool matches = glob->Matches(text);
        ASSERT_EQ(matcher.Matches(text), matches)
            << "seed " << seed << ": " << pattern << " on " << text;
        if (matches) {
          ASSERT_NE(text.find(glob->required()), text.npos) << pattern << " on " << text;
        }
      }
    }
  }
}

TEST(GlobMatcher, KnowsALiteralThatEveryMatchContains) {
  const struct {
    const char* pattern;
    GlobDialect dialect;
    const char* literal;
  } cases[] = {
      {"**/mm/**", GlobDialect::kRecall, "mm/"},
      {"%/mm/%", GlobDialect::kLike, "/mm/"},
      {"src/**/test_*.cc", GlobDialect::kRecall, "test_"},
      {"**/{lib,src}/**", GlobDialect::kRecall, "/"},
      {"**/{lib,src}/include/*", GlobDialect::kRecall, "/include/"},
      {"**/Makefile", GlobDialect::kRecall, "Makefile"},
      {"%", GlobDialect::kLike, ""},
      {"a%é_b", GlobDialect::kLike, "é"},
  };
  for (const auto& c : cases) {
    const auto glob = Glob::Compile(c.pattern, c.dialect);
    ASSERT_TRUE(glob.has_value()) << c.pattern;
    EXPECT_EQ(glob->required(), c.literal) << c.pattern;
  }
}

std::string Character(uint32_t code_point) {
  std::string text;
  AppendUtf8(code_point, &text);
  return text;
}

// Tests one matcher on many texts over `letters`, so that its cache overflows.
void ExpectAgreement(const std::string& pattern, const std::vector<std::string>& letters,
                     int texts) {
  const uint64_t seed = TestSeed(2);
  RandomGlobs globs(seed);
  const auto glob = Glob::Compile(pattern, GlobDialect::kRecall);
  ASSERT_TRUE(glob.has_value());
  GlobMatcher matcher(*glob);
  for (int i = 0; i < texts; ++i) {
    const std::string text = globs.From(letters, 60);
    ASSERT_EQ(matcher.Matches(text), glob->Matches(text)) << "seed " << seed;
  }
}

TEST(GlobMatcher, StartsOverWhenSetsOfStatesAreMany) {
  std::string pattern = "**";
  std::vector<std::string> letters = {"a", "b"};
  for (uint32_t i = 0; i < 300; ++i) {
    letters.push_back(Character(0x4E00 + 2 * i));
    pattern += i % 7 == 0 ? "**" + letters.back() : "{," + letters.back() + "}";
  }
  ExpectAgreement("{" + pattern + ",**a??????????????}", letters, 200);
}

TEST(GlobMatcher, BearsMoreCharactersThanItsTableHolds) {
  std::string pattern = "**[";
  std::vector<std::string> letters;
  for (uint32_t i = 0; i < 40'000; ++i) {
    const std::string letter = Character(0x10000 + 2 * i);
    pattern += letter;
    if (i % 1000 == 0) letters.push_back(letter);
  }
  ExpectAgreement(pattern + "]?", letters, 20);
}

}  // namespace
}  // namespace recall
