#include <gtest/gtest.h>

#include <random>
#include <string>

#include "index/base/glob/glob_matcher.h"
#include "index/base/glob/path_glob.h"
#include "tests/test_util.h"

namespace recall {
namespace {

bool GlobMatches(std::string_view pattern, std::string_view path) {
  const Result<PathGlob> glob = PathGlob::Compile(pattern);
  return glob && glob->Matches(path);
}

struct GlobCase {
  const char* pattern;
  const char* path;
  bool matches;
};

TEST(Glob, MatchesPaths) {
  const GlobCase cases[] = {
      // Without '/': matches the last component at any depth.
      {"a.txt", "a.txt", true},
      {"a.txt", "x/y/a.txt", true},
      {"*.txt", "x/y/a.txt", true},
      {"*.txt", "a.txt.gz", false},
      {"x", "x/y", false},
      {"*", "x/y", true},
      {"**", "x/y", true},
      {"", "", true},
      {"", "a", false},
      // With '/': matches the whole path; `*` and `?` do not match '/'.
      {"src/*.cc", "src/a.cc", true},
      {"src/*.cc", "src/a/b.cc", false},
      {"src/*.cc", "x/src/a.cc", false},
      {"a/?", "a/b", true},
      {"a/?", "a/", false},
      {"a?b/c", "a/b/c", false},
      {"a/*", "a/", true},
      // `**` matches '/'; `**/` also matches nothing.
      {"src/**", "src/a/b.cc", true},
      {"src/**", "src", false},
      {"src/**", "srcs/a", false},
      {"**/a", "a", true},
      {"**/a", "x/y/a", true},
      {"**/a", "xa", false},
      {"x/**/a", "x/a", true},
      {"x/**/a", "x/y/z/a", true},
      {"x/**/a", "xa", false},
      {"x/**.md", "x/y/a.md", true},
      {"**/api/**", "api/x", true},
      {"**/api/**", "a/api/b/c", true},
      {"**/**/a", "a", true},
      // With '/' at the end: matches everything below.
      {"docs/", "docs/a/b", true},
      {"docs/", "x/docs/a", true},
      {"docs/", "docs", false},
      {"x/docs/", "x/docs/a", true},
      {"x/docs/", "y/x/docs/a", false},
      // Character classes.
      {"[abc]", "b", true},
      {"[a-c]x", "bx", true},
      {"[a-c]", "d", false},
      {"[!a-c]", "d", true},
      {"[^a-c]", "b", false},
      {"[]]", "]", true},
      {"[!]]", "]", false},
      {"[]a]", "a", true},
      {"[a-]", "-", true},
      {"[-a]", "-", true},
      {"[\\]]", "]", true},
      {"[*]", "*", true},
      {"[*]", "a", false},
      {"[[:digit:]]x", "7x", true},
      {"[[:alpha:]]x", "7x", false},
      {"[![:space:]]", " ", false},
      {"a[/]b", "a/b", false},
      {"a[!x]b", "a/b", false},
      // Alternatives.
      {"{a,b}", "b", true},
      {"{a,b}", "c", false},
      {"*.{cc,h}", "x/a.h", true},
      {"*.{cc,h}", "x/a.cch", false},
      {"{a,b{c,d}}e", "bde", true},
      {"{a,b{c,d}}e", "be", false},
      {"a{,b}", "a", true},
      {"a{}", "a", true},
      {"{src,test}/**/*.{c,h}", "test/x/y.h", true},
      {"{src,test}/**/*.{c,h}", "lib/x/y.h", false},
      {"{**/a,b}/c", "x/a/c", true},
      {"{**/a,b}/c", "a/c", true},
      {"{,x/}**/*.md", "a.md", true},
      {"{,x/}**/*.md", "x/a.md", true},
      {"{,x/}**/*.md", "y/z/a.md", true},
      {"{x,y/}**/a", "y/a", true},
      {"{x,y/}**/a", "x/a", true},
      {"{x,y/}**/a", "xa", false},
      {"{x,y/}**/a", "ya", false},
      {"b{x,}**/a", "ba", false},
      {"a,b", "a,b", true},
      {"a}", "a}", true},
      // Escapes.
      {"\\*", "*", true},
      {"\\*", "a", false},
      {"\\{a,b\\}", "{a,b}", true},
      {"{a\\,b,c}", "a,b", true},
      // `?` matches a character, not a byte; case matters; newlines are ordinary.
      {"?", "é", true},
      {"??", "é", false},
      {"[à-ü]", "é", true},
      {"[!a]", "日", true},
      {"A", "a", false},
      {"a*b", "a\nb", true},
      {".*", ".git", true},
      {"*", ".hidden", true},
  };
  for (const GlobCase& c : cases) {
    EXPECT_EQ(GlobMatches(c.pattern, c.path), c.matches) << c.pattern << " on " << c.path;
    EXPECT_TRUE(CheckGlob(c.pattern).ok()) << c.pattern;
  }
}

TEST(Glob, SaysWhatCannotBeRead) {
  const struct {
    const char* pattern;
    const char* problem;
  } cases[] = {
      {"a[bc", "[ is not closed at offset 1"},   {"[", "[ is not closed at offset 0"},
      {"[]", "[ is not closed at offset 0"},     {"[a\\", "[ is not closed at offset 0"},
      {"[a-", "[ is not closed at offset 0"},    {"x{a,b", "{ is not closed at offset 1"},
      {"{a,{b}", "{ is not closed at offset 0"}, {"ab\\", "nothing follows the \\ at offset 2"},
  };
  for (const auto& c : cases) {
    const Status status = CheckGlob(c.pattern);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << c.pattern;
    EXPECT_NE(status.message().find(c.problem), std::string_view::npos) << status.ToString();
    EXPECT_FALSE(GlobMatches(c.pattern, c.pattern));
  }
}

// A backtracking matcher would take exponential time.
TEST(Glob, HostilePatternsAreNoProblem) {
  std::string stars;
  for (int i = 0; i < 60; ++i) stars += "*a";
  EXPECT_FALSE(GlobMatches(stars + "b", std::string(2000, 'a')));
  EXPECT_TRUE(GlobMatches(stars, std::string(2000, 'a')));

  std::string directories;
  for (int i = 0; i < 60; ++i) directories += "**/a/";
  std::string path;
  for (int i = 0; i < 500; ++i) path += "a/";
  EXPECT_FALSE(GlobMatches(directories + "b", path + "c"));
  EXPECT_TRUE(GlobMatches(directories + "b", path + "b"));

  std::string braces;
  for (int i = 0; i < 40; ++i) braces += "{a,aa,}";
  EXPECT_FALSE(GlobMatches(braces + "b", std::string(60, 'a')));
  EXPECT_TRUE(GlobMatches(braces, std::string(60, 'a')));
  EXPECT_FALSE(GlobMatches(std::string(5000, '{') + "a" + std::string(5000, '}'), "b"));
}

// Files of one tree are matched with all rules of a .gitignore, so each rule must cost little even
// where nothing settles it early.
TEST(Glob, EachOfManyHostileRulesOnADeepPathIsCheap) {
  std::string path;
  for (int i = 0; i < 300; ++i) path += "a/";
  for (int i = 0; i < 20'000; ++i) {
    const std::string name = "x" + std::to_string(i) + "*";
    std::string pattern;
    for (int j = 0; j < 20; ++j) pattern += "**/";
    for (int j = 0; j < 5; ++j) pattern += name;
    ASSERT_FALSE(Glob::Compile(pattern, GlobDialect::kGitignore)->Matches(path + "x.md"));
  }
}

// Glob::Matches compares patterns without alternatives by backtracking, GlobMatcher simulates the
// automaton.
TEST(Glob, BacktrackingEqualsTheAutomatonOnRandomPatterns) {
  std::mt19937_64 random(TestSeed(6));
  constexpr std::string_view kPatternPieces[] = {"a",   "b",    "*",     "?",  "/",  "/**/",
                                                 "**/", "[ab]", "[!a]*", "**", "é*", "{a,/b}"};
  constexpr std::string_view kPathPieces[] = {"a", "b", "/", "é", "/a/", "ab", "a/b"};
  int matches = 0;
  for (int round = 0; round < 100'000; ++round) {
    std::string pattern;
    for (size_t i = 1 + random() % 8; i > 0; --i) pattern += kPatternPieces[random() % 12];
    std::string path;
    for (size_t i = random() % 8; i > 0; --i) path += kPathPieces[random() % 7];
    for (const GlobDialect dialect : {GlobDialect::kRecall, GlobDialect::kGitignore}) {
      ASSERT_OK_AND_ASSIGN(const Glob glob, Glob::Compile(pattern, dialect));
      ASSERT_EQ(glob.Matches(path), GlobMatcher(glob).Matches(path)) << pattern << " on " << path;
      matches += glob.Matches(path);
    }
  }
  EXPECT_GT(matches, 10'000);
}

// Naive recursive matching of literals, `?`, `*` and `**`.
bool NaiveMatch(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.starts_with("**/")) {
    if (NaiveMatch(pattern.substr(3), text)) return true;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '/' && NaiveMatch(pattern.substr(3), text.substr(i + 1))) return true;
    }
    return false;
  }
  if (pattern.front() == '*') {
    const size_t stars = std::min(pattern.find_first_not_of('*'), pattern.size());
    for (size_t i = 0; i <= text.size(); ++i) {
      if (NaiveMatch(pattern.substr(stars), text.substr(i))) return true;
      if (i < text.size() && text[i] == '/' && stars == 1) break;
    }
    return false;
  }
  if (text.empty()) return false;
  const bool same = pattern.front() == '?' ? text.front() != '/' : pattern.front() == text.front();
  return same && NaiveMatch(pattern.substr(1), text.substr(1));
}

TEST(Glob, EqualsANaiveMatcherOnRandomPatterns) {
  std::mt19937_64 random(TestSeed(5));
  constexpr std::string_view kPatternPieces[] = {"a", "b", "/", "*", "?", "/**/", "/**"};
  for (int round = 0; round < 20000; ++round) {
    std::string pattern = "a/";  // so that the pattern is matched with whole paths
    for (size_t i = random() % 6; i > 0; --i) pattern += kPatternPieces[random() % 7];
    if (pattern.find("***") != std::string::npos || pattern.ends_with('/')) continue;
    // The table above tests `**` next to other characters; here it is always a whole component.
    bool mixed = false;
    for (size_t at = pattern.find("**"); at != std::string::npos; at = pattern.find("**", at + 2)) {
      mixed |= pattern[at - 1] != '/' || (at + 2 < pattern.size() && pattern[at + 2] != '/');
    }
    if (mixed) continue;
    std::string path = "a/";
    for (size_t i = random() % 7; i > 0; --i) path += "ab/"[random() % 3];
    EXPECT_EQ(GlobMatches(pattern, path), NaiveMatch(pattern, path)) << pattern << " on " << path;
  }
}

TEST(PathGlob, KnowsWhenAllBelowADirectoryMatches) {
  const auto all_below = [](std::string_view pattern, std::string_view directory) {
    return PathGlob::Compile(pattern)->MatchesAllBelow(directory);
  };
  EXPECT_TRUE(all_below("build/", "build"));
  EXPECT_TRUE(all_below("build/", "x/build"));
  EXPECT_TRUE(all_below("build/**", "build"));
  EXPECT_TRUE(all_below("**/build/**", "x/y/build"));
  EXPECT_FALSE(all_below("build/**", "x/build"));
  EXPECT_FALSE(all_below("build/*", "build"));
  EXPECT_FALSE(all_below("build/**/*.o", "build"));
  EXPECT_FALSE(all_below("{x/,build/**}", "x"));
}

}  // namespace
}  // namespace recall
