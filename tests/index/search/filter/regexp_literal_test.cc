#include "index/search/filter/regexp_literal.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <random>
#include <vector>

#include "tests/test_util.h"

namespace recall {
namespace {

TEST(RegexpLiteralTest, FindsTheLongest) {
  const struct {
    const char* pattern;
    const char* literal;
  } cases[] = {
      {"/mm/", "/mm/"},
      {"sub[0-4][0-9]*/.*9\\.md$", "9.md"},
      {"(lib|src)/x+y?z", "/x"},
      {"^drivers/(net|scsi)/[^/]*_main\\.c$", "drivers/"},
      {"a+bc", "bc"},
      {"abc*", "ab"},
      {"abé?c", "ab"},
      {"ab{2,3}cd", "cd"},
      {"ab{cd", ""},
      {"lib|src", ""},
      {"(?i)lib", ""},
      {"(?:lib)src(?P<n>x|y)", "src"},
      {"[[:alpha:]]]x[]ab]yz", "]x"},
      {"\\bTODO\\(\\w+\\)", "TODO("},
      {"\\Qa|b\\E", ""},
      {"\\x41bc", ""},
      {"a(b[)]c)def", "def"},
      {"", ""},
  };
  for (const auto& c : cases) EXPECT_EQ(RequiredLiteral(c.pattern), c.literal) << c.pattern;
}

// Compared with RE2: a text that matches contains the literal.
TEST(RegexpLiteralTest, OccursInEveryMatch) {
  const uint64_t seed = TestSeed(6);
  std::mt19937_64 random(seed);
  const std::vector<std::string> pieces = {"a",     "b",
                                           "ab",    "é",
                                           ".",     "*",
                                           "?",     "+",
                                           "{1,2}", "{0}",
                                           "{",     "}",
                                           "(",     ")",
                                           "(?:",   "(?i)",
                                           "(?i:",  "|",
                                           "[ab]",  "[^a]",
                                           "[]a]",  "[[:alpha:]b]",
                                           "^",     "$",
                                           "\\b",   "\\w",
                                           "\\.",   "\\{",
                                           "\\Q",   "\\E",
                                           "\\x61", "\\101",
                                           "\\pL",  "(?P<n>",
                                           "??",    "{2}?",
                                           "[(]",   "[\\]]",
                                           "\\(",   "\\A",
                                           "\\z",   ",",
                                           "1"};
  const std::vector<std::string> letters = {"a", "b", "A", "B", "é", "É",
                                            "(", "{", "1", ",", ".", "|"};
  const auto make = [&](const std::vector<std::string>& from, size_t most) {
    std::string text;
    for (size_t i = random() % (most + 1); i > 0; --i) text += from[random() % from.size()];
    return text;
  };
  int matches = 0;
  int literals = 0;
  for (int i = 0; i < 60'000; ++i) {
    const std::string pattern = make(pieces, 7);
    re2::RE2::Options options;
    options.set_log_errors(false);
    const re2::RE2 regexp(pattern, options);
    if (!regexp.ok()) continue;
    const std::string literal = RequiredLiteral(pattern);
    if (literal.empty()) continue;
    ++literals;
    for (int j = 0; j < 20; ++j) {
      const std::string text = make(letters, 7);
      if (!re2::RE2::PartialMatch(text, regexp)) continue;
      ++matches;
      ASSERT_NE(text.find(literal), text.npos)
          << "seed " << seed << ": " << pattern << " on " << text << ", " << literal;
    }
  }
  EXPECT_GT(literals, 2000);
  EXPECT_GT(matches, 2000);
}

}  // namespace
}  // namespace recall
